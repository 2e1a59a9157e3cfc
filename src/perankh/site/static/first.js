// The first page leads to the reader's language; without it, its links do.

location.replace(navigator.language.startsWith("ja") ? "ja/index.html" : "en/index.html");
