"""What is special about the bots' Cleocatra: with three opponents more looks help little, so slips set the levels apart."""

SLIPS = {"priest": 0.2, "architect": 0.1}
