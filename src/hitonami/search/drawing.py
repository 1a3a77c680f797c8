"""A search tree as text, for people: each move with its visits, what the mover expects of it, and its prior."""

from collections.abc import Iterator

from hitonami.search.tree import Tree


def draw_tree(tree: Tree, least_visits: int = 2, most_moves: int = 5) -> str:
    """The tree from the root, indented by depth; at each node the most visited moves, those with enough visits.

    `N` are visits, `Q` is the expected score of the side that moves (0..1), `P` the prior.
    """
    root = tree.nodes[0]
    head = f"{tree.visits} simulations, {tree.size} positions, Q {_own(float(root['score']), int(root['mover'])):.3f}"
    return "\n".join([head, *_draw_below(tree, 0, 0, least_visits, most_moves)])


def _draw_below(tree: Tree, node: int, depth: int, least: int, most: int) -> Iterator[str]:
    record, position = tree.nodes[node], tree.positions[node]
    first = int(record["first"])
    edges = tree.edges[first : first + int(record["count"])]
    order = sorted(range(len(edges)), key=lambda at: (-int(edges[at]["visits"]), -float(edges[at]["prior"]), at))
    for at in order[:most]:
        edge = edges[at]
        if edge["visits"] < least:
            return
        child = int(edge["child"])
        score = float(tree.nodes[child]["score"] if child >= 0 else edge["score"])
        name = position.game.format(position, int(edge["move"]))
        proof = f"  {_proved(tree, child, int(record['mover']))}" if child >= 0 and tree.nodes[child]["proof"] else ""
        told = f"N {edge['visits']:>4}  Q {_own(score, int(record['mover'])):.3f}  P {edge['prior']:.3f}{proof}"
        yield f"{'  ' * depth}{name:<6}{told}"
        if child >= 0:
            yield from _draw_below(tree, child, depth + 1, least, most)


def _own(score: float, mover: int) -> float:
    return score if mover == 0 else 1.0 - score


def _proved(tree: Tree, child: int, mover: int) -> str:
    won = int(tree.nodes[child]["proof"]) == mover + 1
    return f"{'wins' if won else 'loses'} in {int(tree.nodes[child]['plies']) + 1}"
