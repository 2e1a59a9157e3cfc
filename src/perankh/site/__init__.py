"""Pages that need no server: the documentation (`perankh docs`) and the demonstration (`perankh export-site`)."""
