"""A graph file that somebody altered who knows the format: every checksum fits, and no guarantee holds."""
import struct

import xxhash

import graph_file_reader


def with_checksums(data):
    """A file whose neighbours were altered, with everything that only counts bytes put right."""
    flags, nodes, edges, max_edges = struct.unpack_from("<I3Q", data, 12)
    table = [struct.unpack_from("<3Q", data, 64 + 24 * i) for i in range(6)]
    sections = [data[offset:offset + length] for offset, length, _ in table]
    data[208:240] = graph_file_reader.content_digest(flags, nodes, edges, max_edges, sections)
    pieces = [section[at:at + graph_file_reader.PIECE] for section in sections for at in range(0, len(section), graph_file_reader.PIECE)]
    for number, piece in enumerate(pieces):
        struct.pack_into("<Q", data, 256 + 8 * number, xxhash.xxh3_64_intdigest(bytes(piece)))
    struct.pack_into("<Q", data, 248, xxhash.xxh3_64_intdigest(bytes(data[:248])))
    return data


def give_a_link_one_end(path):
    """The last neighbour of the first row of the karate club becomes another node, which does not know of it."""
    data = bytearray(path.read_bytes())
    assert with_checksums(bytearray(data)) == data
    offsets, neighbours = (struct.unpack_from("<Q", data, 64 + 24 * i)[0] for i in (0, 1))
    end = struct.unpack_from("<Q", data, offsets + 8)[0]  # of the first row
    last = neighbours + 4 * (end - 1)
    before = struct.unpack_from("<I", data, last)[0]
    struct.pack_into("<I", data, last, before + 1 if before < 33 else before - 1)
    path.write_bytes(with_checksums(data))


def give_all_nodes_one_row(path):
    """Every single row is whole; only whoever reads all of them sees that most nodes have none."""
    data = bytearray(path.read_bytes())
    order, size = struct.unpack_from("<2Q", data, 64 + 24 * 3)
    data[order:order + size] = bytes(size)
    path.write_bytes(with_checksums(data))
