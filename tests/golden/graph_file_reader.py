"""Reads a graph file by docs/formats.md alone. Pieces are checked by the digest of the content, not by their XXH3."""
import hashlib
import struct

MAGIC = bytes.fromhex("89 48 57 47 0D 0A 1A 0A")
NAMES = ["row offsets", "neighbours", "row order", "node order", "node ids", "id text"]
PIECE = 16384


def require(condition, what):
    if not condition:
        raise ValueError(what)


def content_digest(flags, nodes, edges, max_edges, sections):
    pieces = [section[at:at + PIECE] for section in sections for at in range(0, len(section), PIECE)]
    head = struct.pack("<4Q6Q", flags, nodes, edges, max_edges, *map(len, sections))
    return hashlib.sha256(b"hushwalk graph 1\0" + head + b"".join(hashlib.sha256(piece).digest() for piece in pieces)).digest()


def read_sections(data):
    magic, version, flags, nodes, edges, max_edges, graph_id, size = struct.unpack_from("<8s2I3Q16sQ", data)
    require(magic == MAGIC and version == 2 and size == len(data), "not a whole graph file of version 2")
    table = [struct.unpack_from("<3Q", data, 64 + 24 * i) for i in range(6)]
    end = 256 + 8 * sum(-(-length // PIECE) for _, length, _ in table)
    piece, sections = 0, []
    for name, (offset, length, first_piece) in zip(NAMES, table):
        require(offset == -(-end // 4096) * 4096 and first_piece == piece, f"{name} is elsewhere")
        require(not any(data[end:offset]), f"there is something before {name}")
        sections.append(data[offset:offset + length])
        end, piece = offset + length, piece + -(-length // PIECE)
    require(end == size, "something follows the end")
    require(data[208:240] == content_digest(flags, nodes, edges, max_edges, sections), "another content")
    return flags, nodes, edges, max_edges, graph_id.hex(), sections


def numbers(kind, section):
    return struct.unpack(f"<{len(section) // struct.calcsize(kind)}{kind}", section)


def read_graph(path):
    """Names, and the edges as pairs of positions in the list of names."""
    flags, nodes, edges, max_edges, graph_id, sections = read_sections(path.read_bytes())
    offsets, neighbours = numbers("Q", sections[0]), numbers("I", sections[1])
    node_of_row, row_of_node = numbers("I", sections[2]), numbers("I", sections[3])
    require(sorted(node_of_row) == list(range(nodes)), "no permutation")
    require(all(row_of_node[node] == row for row, node in enumerate(node_of_row)), "not the inverse")
    rows = [neighbours[first:last] for first, last in zip(offsets, offsets[1:])]
    require(offsets[0] == 0 and offsets[-1] == 2 * edges <= 2 * max_edges, "the rows do not hold the edges")
    require(all(len(row) >= len(later) for row, later in zip(rows, rows[1:])), "a row is longer than the one before")
    require(all(list(row) == sorted(set(row)) for row in rows), "a row is not ascending")
    pairs = {(row, entry) for row, entries in enumerate(rows) for entry in entries}
    require(all(a != b and (b, a) in pairs for a, b in pairs), "not symmetric")
    if flags & 1:
        starts = numbers("Q", sections[4])
        names = [sections[5][first:last].decode() for first, last in zip(starts, starts[1:])]
    else:
        names = list(numbers("q", sections[4]))
    require(names == sorted(names, key=lambda name: name if isinstance(name, int) else name.encode()), "ids are not in order")
    return names, {tuple(sorted((node_of_row[a], node_of_row[b]))) for a, b in pairs}, graph_id
