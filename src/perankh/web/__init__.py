"""The table: the web application at which people and bots play."""
