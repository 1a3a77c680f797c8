"""Training: recipes, losses, the loop, warm starts, export. The only place besides models/net.py that needs torch."""
