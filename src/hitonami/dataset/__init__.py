"""From game records to datasets: where records lie, how they are read at any size, what is kept of them."""
