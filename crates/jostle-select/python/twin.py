#!/usr/bin/env python3
"""The two networks of jostle-select in PyTorch: the same layers, the same names, the same files.

Needs torch, numpy and safetensors. Runs on a GPU where there is one.

  twin.py train  DATA --network small|alexnet --out MODEL       trains on all problems of a data file
  twin.py splits DATA --network small|alexnet --out CHOICES     trains anew for each split, chooses for its test problems
  twin.py logits MODEL DATA --out LOGITS                        the outputs of a model for every problem of a data file
  twin.py fixture FOLDER                                        what the tests of the Rust crate compare with

A data file is what `DataFile` of the Rust crate writes; a model is what its `Model` reads. CHOICES is JSON:
{"network": ..., "splits": {NAME: [[choice for each test problem], ...]}}.

AlexNet may begin with weights that were trained elsewhere: `--begin FILE`, a .safetensors or a .pth with a plain dictionary of tensors.
Accepted are the names of our own files (conv1.weight ... fc7.bias), which are also Caffe's, for the network with two groups; layers whose
names or shapes do not fit are left as they were, and are listed. The AlexNet of torchvision is another network (64 and 192 channels,
one group, no normalisation): only its fc7 (classifier.4) fits, so it is refused. The last layer is always new.
"""

import argparse
import json
import math
import pathlib
import sys

import numpy as np
import torch
import torch.nn.functional as F
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import nn

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


# The networks ---------------------------------------------------------------------------------------------------


class Small(nn.Module):
    """Predicts the cost of each candidate, in standard units."""

    def __init__(self, candidates):
        super().__init__()
        self.conv1 = nn.Conv2d(4, 24, 5, stride=2, padding=2)
        self.norm1 = nn.GroupNorm(8, 24)
        self.conv2 = nn.Conv2d(24, 48, 3, stride=2, padding=1)
        self.norm2 = nn.GroupNorm(8, 48)
        self.conv3 = nn.Conv2d(48, 64, 3, stride=2, padding=1)
        self.norm3 = nn.GroupNorm(8, 64)
        self.conv4 = nn.Conv2d(64, 64, 3, stride=1, padding=1)
        self.norm4 = nn.GroupNorm(8, 64)
        self.fc1 = nn.Linear(132, 128)
        self.fc2 = nn.Linear(128, candidates)
        begin(self, self.fc2)

    def forward(self, images, numbers):
        signal = F.relu(self.norm1(self.conv1(images)))
        signal = F.relu(self.norm2(self.conv2(signal)))
        signal = F.relu(self.norm3(self.conv3(signal)))
        signal = F.relu(self.norm4(self.conv4(signal)))
        signal = torch.cat([signal.mean((2, 3)), signal.amax((2, 3)), numbers], 1)
        signal = F.dropout(F.relu(self.fc1(signal)), 0.2, self.training)
        return self.fc2(signal)


class AlexNet(nn.Module):
    """As it was published for Caffe: two groups in the second, fourth and fifth convolution."""

    def __init__(self, candidates):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 96, 11, stride=4)
        self.conv2 = nn.Conv2d(96, 256, 5, padding=2, groups=2)
        self.conv3 = nn.Conv2d(256, 384, 3, padding=1)
        self.conv4 = nn.Conv2d(384, 384, 3, padding=1, groups=2)
        self.conv5 = nn.Conv2d(384, 256, 3, padding=1, groups=2)
        self.fc6 = nn.Linear(9216, 4096)
        self.fc7 = nn.Linear(4096, 4096)
        self.fc8 = nn.Linear(4096, candidates)
        self.norm = nn.LocalResponseNorm(5, alpha=1e-4, beta=0.75, k=1.0)
        # As published, where no other weights are loaded.
        for name, module in self.named_modules():
            if isinstance(module, (nn.Conv2d, nn.Linear)):
                bound = math.sqrt(3) * (0.005 if name in ("fc6", "fc7") else 0.01)
                nn.init.uniform_(module.weight, -bound, bound)
                nn.init.constant_(module.bias, 0.1 if name in ("conv2", "conv4", "conv5", "fc6", "fc7") else 0.0)

    def forward(self, images, _numbers):
        signal = F.max_pool2d(self.norm(F.relu(self.conv1(images))), 3, 2)
        signal = F.max_pool2d(self.norm(F.relu(self.conv2(signal))), 3, 2)
        signal = F.relu(self.conv3(signal))
        signal = F.relu(self.conv4(signal))
        signal = F.max_pool2d(F.relu(self.conv5(signal)), 3, 2).flatten(1)
        signal = F.dropout(F.relu(self.fc6(signal)), 0.5, self.training)
        signal = F.dropout(F.relu(self.fc7(signal)), 0.5, self.training)
        return self.fc8(signal)


def begin(network, last):
    """First parameters as in the Rust crate, from other random numbers."""
    for module in network.modules():
        if isinstance(module, (nn.Conv2d, nn.Linear)):
            inputs = module.weight[0].numel()
            bound = 0.01 if module is last else math.sqrt(6 / inputs)
            nn.init.uniform_(module.weight, -bound, bound)
            nn.init.zeros_(module.bias)


NETWORKS = {"small": Small, "alexnet": AlexNet}
LAST_LAYER = {"small": "fc2", "alexnet": "fc8"}


# Files ----------------------------------------------------------------------------------------------------------


def notes_of(path):
    with safe_open(path, "pt") as file:
        return file.metadata() or {}


def fail(sentence):
    sys.exit(f"error: {sentence}")


class Data:
    """The problems of a data file, on the device."""

    def __init__(self, path, network):
        self.notes = notes_of(path)
        if self.notes.get("jostle-model") != "1" or self.notes.get("kind") != "data":
            fail(f"{path} is not a data file of version 1")
        tensors = load_file(path)
        self.tensors = tensors
        self.candidates = self.notes["candidates"].split("\n")
        self.costs = tensors["costs"].to(DEVICE)
        self.best = tensors["best"].to(DEVICE)
        self.map = tensors["map"]
        self.numbers = tensors["numbers"].to(DEVICE)
        if network == "alexnet":
            if "pictures" not in tensors:
                fail(f"{path} has no pictures, which AlexNet needs")
            self.images = tensors["pictures"].to(DEVICE)
        else:
            self.images = tensors["channels"].to(DEVICE)
            self.scale = tensors["channel.scale"].to(DEVICE).view(1, 4, 1, 1) / 255

    def __len__(self):
        return len(self.costs)

    def image(self, at):
        """Images as float, channels first."""
        if self.images.shape[-1] == 3:
            return self.images[at].permute(0, 3, 1, 2).float()
        # The small network sees the square roots of densities.
        return (self.images[at].float() * self.scale).sqrt()

    def choose_from(self, prefix):
        """The candidates of a split, where it has some of its own."""
        if prefix + "costs" in self.tensors:
            self.costs = self.tensors[prefix + "costs"].to(DEVICE)
            self.best = self.tensors[prefix + "best"].to(DEVICE)

    def splits(self):
        """{name: [(train, test), ...]}"""
        found = {}
        for key in self.tensors:
            if key.startswith("split.") and key.endswith(".train"):
                name, number = key[len("split.") : -len(".train")].rsplit(".", 1)
                test = self.tensors[f"split.{name}.{number}.test"]
                found.setdefault(name, {})[int(number)] = (self.tensors[key], test)
        return {name: [sides[at] for at in sorted(sides)] for name, sides in found.items()}


class Standard:
    """What was measured on the training problems: makes inputs and outputs standard."""

    def __init__(self, tensors):
        self.tensors = {name: value.to(DEVICE) for name, value in tensors.items()}

    @staticmethod
    def names(network):
        if network == "alexnet":
            return ["input.mean"]
        return [f"{part}.{what}" for part in ("input", "numbers", "cost") for what in ("mean", "scale")]

    @staticmethod
    def measured(data, at, network):
        if network == "alexnet":
            total = sum(data.image(part).double().sum(0) for part in at.split(256))
            return Standard({"input.mean": (total / len(at)).float()})

        def scale(deviation):
            return torch.where(deviation > 1e-6, deviation, torch.ones_like(deviation)).float()

        parts = at.split(256)
        count = len(at) * data.images.shape[2] * data.images.shape[3]
        mean = sum(data.image(part).double().sum((0, 2, 3)) for part in parts) / count
        squares = sum(((data.image(part).double() - mean.view(1, -1, 1, 1)) ** 2).sum((0, 2, 3)) for part in parts)
        numbers, costs = data.numbers[at].double(), data.costs[at].double()
        centred = costs - costs.mean(0)
        return Standard(
            {
                "input.mean": mean.float(),
                "input.scale": scale((squares / count).sqrt()),
                "numbers.mean": numbers.mean(0).float(),
                "numbers.scale": scale(((numbers - numbers.mean(0)) ** 2).mean(0).sqrt()),
                "cost.mean": costs.mean(0).float(),
                "cost.scale": scale((centred**2).mean().sqrt().view(1)),
            }
        )

    def inputs(self, data, at):
        images, numbers = data.image(at), data.numbers[at]
        mean = self.tensors["input.mean"]
        if mean.dim() == 3:
            return images - mean, numbers
        images = (images - mean.view(1, -1, 1, 1)) / self.tensors["input.scale"].view(1, -1, 1, 1)
        return images, (numbers - self.tensors["numbers.mean"]) / self.tensors["numbers.scale"]

    def costs(self, outputs):
        """What outputs predict: less is better."""
        if "cost.mean" not in self.tensors:
            return 1 - outputs.softmax(1)
        return outputs * self.tensors["cost.scale"] + self.tensors["cost.mean"]


def write_model(path, kind, network, standard, candidates, about):
    tensors = {**standard.tensors, **network.state_dict()}
    notes = {**about, "jostle-model": "1", "kind": kind, "candidates": "\n".join(candidates)}
    save_file({name: value.detach().cpu().contiguous() for name, value in tensors.items()}, path, notes)


def read_model(path):
    notes = notes_of(path)
    if notes.get("jostle-model") != "1" or notes.get("kind") not in NETWORKS:
        fail(f"{path} is not a network of version 1")
    kind = notes["kind"]
    tensors = load_file(path)
    standard = Standard({name: tensors.pop(name) for name in Standard.names(kind)})
    network = NETWORKS[kind](len(notes["candidates"].split("\n"))).to(DEVICE)
    network.load_state_dict(tensors)
    return kind, network.eval(), standard


def load_first_weights(network, path):
    """Weights from elsewhere, where names and shapes fit."""
    if path.endswith(".safetensors"):
        found = load_file(path)
    else:
        found = torch.load(path, map_location="cpu", weights_only=True)
    if "features.0.weight" in found:
        fail(f"{path} is the AlexNet of torchvision, which is another network: it has one group and fewer channels")
    own = network.state_dict()
    fits = {name: value for name, value in found.items() if name in own and not name.startswith("fc8.") and own[name].shape == value.shape}
    if not fits:
        fail(f"{path} has no layer that fits")
    network.load_state_dict(fits, strict=False)
    print(f"from {path}: {', '.join(sorted(fits))}; at random: {', '.join(sorted(set(own) - set(fits)))}")


# Training -------------------------------------------------------------------------------------------------------


TEMPERATURE = 0.3


def loss_of(kind, standard, outputs, costs, best, options):
    """The mean loss of a batch, as in the Rust crate."""
    if kind == "alexnet":
        return F.cross_entropy(outputs, best)
    scale = standard.tensors["cost.scale"]
    predicted = outputs + standard.tensors["cost.mean"] / scale
    costs = costs / scale
    huber = F.huber_loss(predicted, costs)
    regrets = costs - costs.amin(1, keepdim=True)
    scores = -predicted / TEMPERATURE
    regret = (scores.softmax(1) * regrets).sum(1).mean()
    cross_entropy = F.cross_entropy(scores, best)
    return options.huber * huber + options.regret * regret + options.cross_entropy * cross_entropy


def turned(images, generator):
    """Each image in one of the eight symmetries of the square, drawn at random."""
    which = torch.randint(0, 8, (len(images),), generator=generator).to(images.device)
    for bit, turn in ((1, lambda x: x.flip(3)), (2, lambda x: x.flip(2)), (4, lambda x: x.transpose(2, 3))):
        chosen = ((which & bit) != 0).view(-1, 1, 1, 1)
        images = torch.where(chosen, turn(images), images)
    return images


def set_aside(data, at, options, generator):
    """A share of the problems, by map where there are several, tells which epoch is best."""
    if options.validation <= 0 or len(at) < 2:
        return at, at[:0]
    group = data.map[at] if options.validation_by == "map" else torch.arange(len(at))
    groups = group.unique()
    if len(groups) < 2:
        group = torch.arange(len(at))
        groups = group
    count = min(max(round(len(groups) * options.validation), 1), len(groups) - 1)
    aside = groups[torch.randperm(len(groups), generator=generator)[:count]]
    is_aside = torch.isin(group, aside)
    return at[~is_aside], at[is_aside]


def outputs_of(network, standard, data, at):
    network.eval()
    with torch.no_grad():
        return torch.cat([network(*standard.inputs(data, part)) for part in at.split(256)])


def train(data, at, kind, options, seed):
    """A network that has learned from some of the problems, with what it has measured on them."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    learned, aside = set_aside(data, at, options, generator)
    judged = aside if len(aside) else learned
    standard = Standard.measured(data, learned, kind)
    network = NETWORKS[kind](data.costs.shape[1]).to(DEVICE)
    if options.begin:
        load_first_weights(network, options.begin)
    last = [value for name, value in network.named_parameters() if name.startswith(LAST_LAYER[kind] + ".")]
    others = [value for name, value in network.named_parameters() if not name.startswith(LAST_LAYER[kind] + ".")]
    groups = [{"params": others, "factor": 1.0}, {"params": last, "factor": options.last_layer_rate}]
    if kind == "alexnet":
        optimiser = torch.optim.SGD(groups, lr=options.rate, momentum=0.9, weight_decay=options.weight_decay)
    else:
        optimiser = torch.optim.AdamW(groups, lr=options.rate, weight_decay=options.weight_decay)
    best = None
    for epoch in range(1, options.epochs + 1):
        rate = options.rate
        if kind == "small":
            rate *= 0.5 * (1 + math.cos(math.pi * (epoch - 1) / options.epochs))
        for group in optimiser.param_groups:
            group["lr"] = rate * group["factor"]
        network.train()
        total = 0.0
        for batch in learned[torch.randperm(len(learned), generator=generator)].split(options.batch):
            images, numbers = standard.inputs(data, batch)
            if options.symmetries:
                images = turned(images, generator)
            loss = loss_of(kind, standard, network(images, numbers), data.costs[batch], data.best[batch], options)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            total += loss.item() * len(batch)
        outputs = outputs_of(network, standard, data, judged)
        judged_loss = loss_of(kind, standard, outputs, data.costs[judged], data.best[judged], options).item()
        choices = standard.costs(outputs).argmin(1)
        cost = data.costs[judged].gather(1, choices.view(-1, 1)).double().mean().item()
        if options.verbose:
            print(f"epoch {epoch}: loss {total / len(learned):.4f}, set aside {judged_loss:.4f}, cost of choices {cost:.5f}")
        if not math.isfinite(total):
            fail(f"the training has diverged in epoch {epoch}: a lower rate than {options.rate} may help")
        if best is None or (cost, judged_loss) < best[0]:
            state = {name: value.clone() for name, value in network.state_dict().items()}
            best = ((cost, judged_loss), epoch, state)
        elif epoch - best[1] >= options.patience:
            break
    network.load_state_dict(best[2])
    return network.eval(), standard


# Weights and inputs by formula ----------------------------------------------------------------------------------


def hashed(stream, count):
    """Numbers from -1 to 1 that any language computes alike: a hash of the stream and the place, 24 bits of it."""
    with np.errstate(over="ignore"):
        value = np.arange(count, dtype=np.uint64) + np.uint64(stream) * np.uint64(0x9E3779B97F4A7C15)
        value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        value = value ^ (value >> np.uint64(31))
    return ((value >> np.uint64(40)).astype(np.float64) / 2**23 - 1).astype(np.float32)


def by_formula(network):
    """Sets every parameter: the stream is its place among them in the order of their layers, weight before bias."""
    for stream, value in enumerate(network.parameters(), 1):
        inputs = value[0].numel() if value.dim() > 1 else 0
        bound = np.float32(math.sqrt(3 / inputs)) if inputs else np.float32(0.05)
        numbers = torch.from_numpy(hashed(stream, value.numel()) * bound)
        value.data = numbers.view(value.shape).to(value.device)


def fixture(folder):
    """A small network with inputs and outputs; for AlexNet, whose weights would be 227 MB, the outputs of weights by formula."""
    torch.use_deterministic_algorithms(False)
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(1)
    small = Small(3)
    for module in small.modules():
        if isinstance(module, nn.GroupNorm):
            nn.init.uniform_(module.weight, 0.5, 1.5)
            nn.init.uniform_(module.bias, -0.5, 0.5)
        elif isinstance(module, (nn.Conv2d, nn.Linear)):
            nn.init.uniform_(module.bias, -0.2, 0.2)
    nn.init.uniform_(small.fc2.weight, -0.3, 0.3)
    small.eval()
    images = torch.from_numpy(hashed(101, 4 * 4 * 64 * 64)).view(4, 4, 64, 64)
    numbers = torch.from_numpy(hashed(102, 4 * 4)).view(4, 4)
    with torch.no_grad():
        outputs = small(images, numbers)
        exact = small.double()(images.double(), numbers.double())
    small.float()
    standard = Standard(
        {
            "input.mean": torch.zeros(4),
            "input.scale": torch.ones(4),
            "numbers.mean": torch.zeros(4),
            "numbers.scale": torch.ones(4),
            "cost.mean": torch.zeros(3),
            "cost.scale": torch.ones(1),
        }
    )
    about = {"made by": "twin.py fixture"}
    write_model(folder / "small.safetensors", "small", small, standard, ["a", "b", "c"], about)
    alexnet = AlexNet(3)
    by_formula(alexnet)
    alexnet.eval()
    pictures = torch.from_numpy(hashed(103, 2 * 3 * 227 * 227)).view(2, 3, 227, 227) * 128
    with torch.no_grad():
        logits = alexnet(pictures, None)
    print("small:", outputs.tolist(), "off from double by", (outputs - exact).abs().max().item())
    print("AlexNet:", logits.tolist())
    save_file({"small": outputs, "alexnet": logits}, folder / "logits.safetensors")


# The command ----------------------------------------------------------------------------------------------------


def options_of(arguments):
    """Defaults of each network where nothing is said: those of the Rust crate."""
    defaults = {
        "small": {"epochs": 60, "rate": 1e-3, "last_layer_rate": 1.0, "weight_decay": 1e-2, "patience": 15, "symmetries": True},
        "alexnet": {"epochs": 30, "rate": 1e-2, "last_layer_rate": 1.0, "weight_decay": 5e-4, "patience": 30, "symmetries": False},
    }
    for name, value in defaults[arguments.network].items():
        if getattr(arguments, name) is None:
            setattr(arguments, name, value)
    return arguments


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("train", "splits"):
        command = commands.add_parser(name)
        command.add_argument("data")
        command.add_argument("--network", choices=NETWORKS, required=True)
        command.add_argument("--out", required=True)
        command.add_argument("--begin", help="AlexNet: weights to begin with")
        command.add_argument("--epochs", type=int)
        command.add_argument("--batch", type=int, default=64)
        command.add_argument("--rate", type=float)
        command.add_argument("--last-layer-rate", type=float)
        command.add_argument("--weight-decay", type=float)
        command.add_argument("--patience", type=int)
        command.add_argument("--validation", type=float, default=0.1)
        command.add_argument("--validation-by", choices=("map", "problem"), default="map")
        command.add_argument("--symmetries", action=argparse.BooleanOptionalAction)
        command.add_argument("--huber", type=float, default=1.0)
        command.add_argument("--regret", type=float, default=0.5)
        command.add_argument("--cross-entropy", type=float, default=0.1)
        command.add_argument("--seed", type=int, default=0)
        command.add_argument("--verbose", action="store_true")
    command = commands.add_parser("logits")
    command.add_argument("model")
    command.add_argument("data")
    command.add_argument("--out", required=True)
    command = commands.add_parser("fixture")
    command.add_argument("folder")
    return parser.parse_args()


def main():
    arguments = parsed()
    if arguments.command == "fixture":
        fixture(arguments.folder)
    elif arguments.command == "logits":
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
        kind, network, standard = read_model(arguments.model)
        data = Data(arguments.data, kind)
        logits = outputs_of(network, standard, data, torch.arange(len(data)))
        save_file({"logits": logits.cpu(), "costs": standard.costs(logits).cpu()}, arguments.out)
    elif arguments.command == "train":
        options = options_of(arguments)
        data = Data(options.data, options.network)
        network, standard = train(data, torch.arange(len(data)), options.network, options, options.seed)
        about = {name: note for name, note in data.notes.items() if name not in ("jostle-model", "kind", "candidates")}
        about["trained by"] = f"twin.py, seed {options.seed}"
        write_model(options.out, options.network, network, standard, data.candidates, about)
    else:
        options = options_of(arguments)
        data = Data(options.data, options.network)
        chosen = {}
        for name, splits in data.splits().items():
            for number, (learned, tested) in enumerate(splits):
                data.choose_from(f"split.{name}.{number}.")
                network, standard = train(data, learned, options.network, options, options.seed + number)
                choices = standard.costs(outputs_of(network, standard, data, tested)).argmin(1).tolist()
                chosen.setdefault(name, []).append(choices)
                right = np.mean([choice == data.best[at].item() for choice, at in zip(choices, tested)])
                cost = data.costs[tested].gather(1, torch.tensor(choices, device=DEVICE).view(-1, 1)).double().mean().item()
                print(f"{name} {number}: {right:.1%} the best candidate, mean cost {cost:.5f}", flush=True)
        pathlib.Path(arguments.out).write_text(json.dumps({"network": options.network, "splits": chosen}))


if __name__ == "__main__":
    main()
