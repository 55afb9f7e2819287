"""The five models whose predictions bench/second_opinion.py judges. Each function trains a model on the molecules in
`train` and returns predictions and uncertainties of all molecules. The uncertainty is None if the model has none."""

import warnings

import numpy as np
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LogisticRegressionCV, RidgeCV
from sklearn.neural_network import MLPClassifier, MLPRegressor


def forest(data, train, seed):
    kind = RandomForestClassifier if data.is_class else RandomForestRegressor
    model = kind(100, max_features="sqrt" if data.is_class else 0.1, random_state=seed)
    model.fit(data.counts[train], data.values[train])
    own = [tree.predict_proba(data.counts)[:, 1] if data.is_class else tree.predict(data.counts)
           for tree in model.estimators_]
    return np.mean(own, axis=0), np.std(own, axis=0)


def ridge(data, train, seed):
    rows = np.log1p(data.counts)
    if data.is_class:
        model = LogisticRegressionCV(Cs=[0.003, 0.03, 0.3], cv=3, max_iter=300, scoring="neg_log_loss",
                                     random_state=seed).fit(rows[train], data.values[train])
        return model.predict_proba(rows)[:, 1], None
    model = RidgeCV([3, 10, 30, 100, 300]).fit(rows[train], data.values[train])
    centred = rows - rows[train].mean(axis=0)
    matrix = np.linalg.inv(centred[train].T @ centred[train] + model.alpha_ * np.eye(rows.shape[1]))
    return model.predict(rows), np.sqrt(np.maximum(np.einsum("ij,ij->i", centred @ matrix, centred), 0))


def gaussian_process(data, train, seed):
    """Uses the MinMax kernel of environment counts. The noise maximises the marginal likelihood."""
    near = data.similarity[np.ix_(train, train)]
    mean = data.values[train].mean()
    own = data.values[train] - mean
    values, vectors = np.linalg.eigh(near)
    rotated = vectors.T @ own
    def likelihood(noise):
        scale = np.mean(rotated ** 2 / (values + noise))
        return -0.5 * (np.sum(np.log(values + noise)) + len(own) * np.log(scale))
    noise = max(np.geomspace(0.003, 10, 18), key=likelihood)
    scale = np.mean(rotated ** 2 / (values + noise))
    cross = data.similarity[:, train] @ vectors
    prediction = mean + cross @ (rotated / (values + noise))
    variance = np.maximum(1 + noise - np.sum(cross ** 2 / (values + noise), axis=1), 0) * scale
    return (np.clip(prediction, 0, 1) if data.is_class else prediction), np.sqrt(variance)


def network(data, train, seed):
    rows = np.log1p(data.counts)
    mean, spread = (0, 1) if data.is_class else (data.values[train].mean(), data.values[train].std())
    own = []
    for i in range(5):
        kind = MLPClassifier if data.is_class else MLPRegressor
        model = kind(hidden_layer_sizes=(128,), alpha=0.01, batch_size=64, max_iter=25, random_state=100 * seed + i)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(rows[train], data.values[train].astype(int) if data.is_class else
                      (data.values[train] - mean) / spread)
        own.append(model.predict_proba(rows)[:, 1] if data.is_class else mean + spread * model.predict(rows))
    return np.mean(own, axis=0), np.std(own, axis=0)


def chemprop(data, train, seed, epochs=30, models=1):
    """Trains message-passing networks with the default sizes and learning rates of chemprop 2."""
    import logging
    import torch
    from chemprop import data as chem_data, models as chem_models, nn
    from lightning import pytorch as lightning

    logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    points = [chem_data.MoleculeDatapoint.from_smi(text, [value]) for text, value in zip(data.smiles, data.values)]
    everything = chem_data.MoleculeDataset(points)
    own = []
    for i in range(models):
        lightning.seed_everything(100 * seed + i, verbose=False)
        part = chem_data.MoleculeDataset([points[k] for k in np.flatnonzero(train)])
        output = None
        if not data.is_class:
            scaler = part.normalize_targets()
            output = nn.UnscaleTransform.from_standard_scaler(scaler)
        head = nn.BinaryClassificationFFN() if data.is_class else nn.RegressionFFN(output_transform=output)
        model = chem_models.MPNN(nn.BondMessagePassing(), nn.MeanAggregation(), head, batch_norm=False)
        trainer = lightning.Trainer(max_epochs=epochs, accelerator="cpu", logger=False, enable_checkpointing=False,
                                    enable_progress_bar=False, enable_model_summary=False)
        trainer.fit(model, chem_data.build_dataloader(part, shuffle=True, num_workers=0))
        found = trainer.predict(model, chem_data.build_dataloader(everything, shuffle=False, num_workers=0))
        own.append(torch.cat(found).flatten().numpy().astype(float))
    return np.mean(own, axis=0), np.std(own, axis=0) if models > 1 else None


MODELS = {"forest": forest, "ridge": ridge, "gp": gaussian_process, "network": network, "chemprop": chemprop}
