"""Models that transformers, timm and torchvision build from small configurations, with random weights."""

from __future__ import annotations

from typing import Any, Callable, Dict, Tuple

import torch

Made = Tuple[Any, Tuple[Any, ...], Dict[str, Any]]


def _tokens(vocabulary: int = 99, length: int = 16) -> Any:
    return torch.randint(1, vocabulary, (2, length))


def _text(name: str, kind: str = "Model", attention: str = "eager", **options: Any) -> Callable[[], Made]:
    """A model of transformers that reads tokens."""

    def make() -> Made:
        import transformers

        small = {"vocab_size": 99, "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 96}
        config = getattr(transformers, f"{name}Config")(**{**small, **options})
        config._attn_implementation = attention
        return getattr(transformers, f"{name}{kind}")(config), (), {"input_ids": _tokens()}

    return make


def _t5() -> Made:
    import transformers

    config = transformers.T5Config(vocab_size=99, d_model=64, d_kv=16, d_ff=96, num_layers=2, num_heads=4)
    return transformers.T5Model(config), (), {"input_ids": _tokens(), "decoder_input_ids": _tokens(length=8)}


def _picture(name: str, size: int = 32, **options: Any) -> Callable[[], Made]:
    """A model of transformers that reads images."""

    def make() -> Made:
        import transformers

        config = getattr(transformers, f"{name}Config")(**{"image_size": size, **options})
        config._attn_implementation = "eager"
        return getattr(transformers, f"{name}Model")(config), (), {"pixel_values": torch.randn(2, 3, size, size)}

    return make


def _whisper() -> Made:
    import transformers

    config = transformers.WhisperConfig(
        vocab_size=99, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4,
        encoder_ffn_dim=64, decoder_ffn_dim=64, max_source_positions=50, num_mel_bins=16, pad_token_id=0, bos_token_id=1, eos_token_id=2,
        decoder_start_token_id=1, suppress_tokens=None, begin_suppress_tokens=None,
    )  # fmt: skip
    config._attn_implementation = "eager"
    model = transformers.WhisperModel(config)
    return model, (), {"input_features": torch.randn(2, 16, 100), "decoder_input_ids": _tokens(length=6)}


def _timm(name: str, size: int = 64, **options: Any) -> Callable[[], Made]:
    def make() -> Made:
        import timm

        return timm.create_model(name, pretrained=False, num_classes=10, **options), (torch.randn(2, 3, size, size),), {}

    return make


def _torchvision(name: str, size: int = 64, **options: Any) -> Callable[[], Made]:
    def make() -> Made:
        import torchvision

        return getattr(torchvision.models, name)(weights=None, num_classes=10, **options), (torch.randn(2, 3, size, size),), {}

    return make


def _vision_transformer() -> Made:
    from torchvision.models.vision_transformer import VisionTransformer

    model = VisionTransformer(image_size=32, patch_size=8, num_layers=2, num_heads=4, hidden_dim=64, mlp_dim=96, num_classes=10)
    return model, (torch.randn(2, 3, 32, 32),), {}


MODELS: Dict[str, Callable[[], Made]] = {
    "transformers.llama": _text("Llama", num_key_value_heads=2),
    "transformers.llama sdpa": _text("Llama", attention="sdpa", num_key_value_heads=2),
    "transformers.mistral": _text("Mistral", num_key_value_heads=2),
    "transformers.gpt2": _text("GPT2", n_embd=64, n_layer=2, n_head=4),
    "transformers.bert": _text("Bert"),
    "transformers.roberta": _text("Roberta"),
    "transformers.deberta_v2": _text("DebertaV2", relative_attention=True, pos_att_type=["p2c", "c2p"]),
    "transformers.gpt_neox": _text("GPTNeoX"),
    "transformers.opt": _text("OPT", ffn_dim=96, word_embed_proj_dim=64),
    "transformers.bloom": _text("Bloom", n_layer=2, n_head=4),
    "transformers.t5": _t5,
    "transformers.whisper": _whisper,
    "transformers.vit": _picture("ViT", patch_size=8, hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=96),
    "transformers.swin": _picture("Swin", patch_size=4, embed_dim=16, depths=[2, 2], num_heads=[2, 4], window_size=4),
    "transformers.convnext": _picture("ConvNext", hidden_sizes=[16, 32, 32, 64], depths=[1, 1, 1, 1]),
    "timm.efficientnet_b0": _timm("efficientnet_b0"),
    "timm.mobilenetv3_small_050": _timm("mobilenetv3_small_050"),
    "timm.vit_tiny": _timm("vit_tiny_patch16_224", img_size=64, depth=2),
    "timm.swin_tiny": _timm("swin_tiny_patch4_window7_224", size=56, img_size=56, depths=(2, 2), num_heads=(2, 4), embed_dim=32),
    "timm.convnext_atto": _timm("convnext_atto"),
    "timm.mixer": _timm("mixer_s32_224", img_size=64),
    "timm.resnet10t": _timm("resnet10t"),
    "torchvision.resnet18": _torchvision("resnet18"),
    "torchvision.efficientnet_b0": _torchvision("efficientnet_b0"),
    "torchvision.shufflenet_v2": _torchvision("shufflenet_v2_x0_5"),
    "torchvision.mobilenet_v3_small": _torchvision("mobilenet_v3_small"),
    "torchvision.vision_transformer": _vision_transformer,
    "torchvision.squeezenet": _torchvision("squeezenet1_1"),
}


def prepared(name: str) -> Made:
    """A model in evaluation mode, with the same weights and inputs in every run."""
    torch.manual_seed(7)
    model, args, kwargs = MODELS[name]()
    return model.eval(), args, kwargs
