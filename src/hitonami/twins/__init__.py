"""Twins: what one person does otherwise than people of the level, as a small file over any mind.

Twins stay on this machine. `hitonami.style` makes them from games; here they are read, kept, forgotten and acted out.
"""
