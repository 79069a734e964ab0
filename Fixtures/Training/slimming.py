"""Makes exported files smaller."""

import onnx


def slim(model: onnx.ModelProto) -> None:
    """Short names for values, none for nodes: names would be a fiftieth of the file."""
    kept = {value.name for value in (*model.graph.input, *model.graph.output)}
    names: dict[str, str] = {"": ""}

    def short(name: str) -> str:
        if name not in names:
            names[name] = name if name in kept else f"t{len(names)}"
        return names[name]

    for node in model.graph.node:
        node.name, node.doc_string = "", ""
        node.input[:] = [short(name) for name in node.input]
        node.output[:] = [short(name) for name in node.output]
        del node.metadata_props[:]
    for tensor in model.graph.initializer:
        tensor.name, tensor.doc_string = short(tensor.name), ""
    del model.graph.value_info[:]
    del model.metadata_props[:]
