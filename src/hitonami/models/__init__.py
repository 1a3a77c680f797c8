"""Networks: encoders, cards, a store of models, a runtime, importers of other projects' files.

Importing this package loads neither ONNX Runtime nor torch.
"""
