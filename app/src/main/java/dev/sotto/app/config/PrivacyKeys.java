package dev.sotto.app.config;

import dev.sotto.app.config.ConfigKeys.Condition;
import dev.sotto.learner.privacy.Adjacency;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.BltSets;
import dev.sotto.learner.release.Mechanisms;
import org.apache.kafka.common.config.ConfigDef.Type;

/** Settings of the guarantee: whom it protects, what may be spent, and where the noise comes from. */
final class PrivacyKeys {
  static final String CONTRIBUTION = "privacy.contribution";
  static final String USUAL = "usual";
  static final String GENERATIONS = "privacy.generations";

  private PrivacyKeys() {}

  static void declare(ConfigKeys keys) {
    keys.group("Privacy");
    budget(keys);
    mechanism(keys);
    units(keys);
    noiseKey(keys);
    keys.group("Private metrics");
    metrics(keys);
  }

  private static void budget(ConfigKeys keys) {
    keys.optional(
        Pledges.EPSILON,
        Type.DOUBLE,
        null,
        Rules.positive(),
        "The most that one unit may ever spend: what would exceed it never happens. Give this, or the same as a mu.");
    keys.optional(
        Pledges.MU,
        Type.DOUBLE,
        null,
        Rules.positive(),
        "The budget as a mu instead of an epsilon: the one number that does not depend on delta. The epsilon that it means at"
            + " privacy.delta is what ledgers show.");
    keys.required(
        "privacy.delta",
        Type.DOUBLE,
        Rules.numbers("above 0 and below 1", d -> d > 0 && d < 1),
        "The delta at which epsilon is told: far below one over the number of units. Above 1e-5 draws a warning.");
    keys.optional(
        Pledges.SPENT,
        Type.DOUBLE,
        0.0,
        Rules.numbers("at least 0 and finite", mu -> mu >= 0 && mu < Double.POSITIVE_INFINITY),
        "mu that the same units have spent in earlier runs (the last entry of the old ledger; of several, the root of the sum"
            + " of their squares). The new ledger begins with it, and the budget must hold both.");
    keys.optional(
        "privacy.noise.multiplier",
        Type.DOUBLE,
        null,
        Rules.positive(),
        "Standard deviation (scale, with laplace) of the noise over the sensitivity of a round's sum (clip.norm, twice"
            + " that for replace-one). Give this, or the horizon, or with a budget per unit its participations.");
    keys.optional(
        "privacy.horizon.rounds",
        Type.STRING,
        null,
        Rules.horizon(),
        "The noise is the least with which so many rounds fit the budget; `endless` where the mechanism has a limit."
            + " Not with privacy.contribution budget, whose rounds are endless anyway.");
    keys.optional(
        "privacy.contribution.rounds",
        Type.LONG,
        null,
        Rules.between(1, 1_000_000),
        "With privacy.contribution budget: the noise is the least under which a unit's budget admits it to so many"
            + " rounds in a row (to as many or more if they lie apart).");
  }

  private static void mechanism(ConfigKeys keys) {
    keys.optional(
        "privacy.mechanism",
        Type.STRING,
        Mechanisms.BLT.configName(),
        Rules.oneOf(Mechanisms.values(), Mechanisms::configName),
        "How the noise of a prefix of rounds is put together. `blt`: nearly the least error at every round, at a price"
            + " that has a limit even on an endless stream. `binary-tree` costs more with every doubling of the rounds;"
            + " `binary-tree-honaker` has less error at the same price where a unit takes part once; with `independent` the price stands still and"
            + " the error grows as the root of the rounds; `laplace` likewise, with a pure epsilon and gradients cut"
            + " in l1.");
    keys.optional(
        "privacy.blt.set",
        Type.STRING,
        BltSets.DEFAULT.configName(),
        Rules.oneOf(BltSets.values(), BltSets::configName),
        "Which tuned parameters `blt` uses (docs/blt.md): `anytime` sets serve every length at once, `horizon` sets are"
            + " better up to theirs.",
        Condition.when("privacy.mechanism", Mechanisms.BLT.configName()));
    keys.optional(
        "privacy.adjacency",
        Type.STRING,
        "zero-out",
        Rules.oneOf(Adjacency.values(), Adjacency::configName),
        "Which change is hidden: that a record's content counts at all, or what it is (twice the noise).");
    keys.optional(
        GENERATIONS,
        Type.STRING,
        "none",
        Rules.oneOf("none", "constant", "doubling"),
        "Whether the algorithm restarts on fresh records, warm at its last weights: never, after so many rounds each"
            + " time, or after twice as many. A record lies in one generation and pays for it alone; a key pays for all"
            + " that it is in.");
    keys.required(
        GENERATIONS + ".rounds",
        Type.LONG,
        Rules.between(1, 1L << 40),
        "Rounds of the first generation.",
        Condition.when(GENERATIONS, "constant", "doubling"));
  }

  private static void units(ConfigKeys keys) {
    keys.optional(
        "privacy.unit",
        Type.STRING,
        "record",
        Rules.oneOf(PrivacyUnit.values(), PrivacyUnit::configName),
        "Whose contribution is hidden: one `record`, or everything that carries one id (`key`: a user, a device; read as"
            + " unit.from says).");
    keys.optional(
        CONTRIBUTION,
        Type.STRING,
        USUAL,
        Rules.oneOf(USUAL, "once", "first-of-id", "budget", "schedule"),
        "How much a unit may contribute; what is beyond it fills its slot with nothing. `usual` is"
            + " `once` for records and `budget` for keys. Unit record: `once` (each record is its own unit), or `first-of-id` (records carry an id, read as unit.from says;"
            + " the first of each id counts, for ever). Unit key: `budget` (with blt and independent: every"
            + " unit has the whole budget for itself and takes part, at most once a round, while its own book stays"
            + " within), or `schedule` (at most so many rounds).");
    keys.required(
        CONTRIBUTION + ".most",
        Type.LONG,
        Rules.atLeast(1),
        "Rounds that a unit may take part in over the model's life.",
        Condition.when(CONTRIBUTION, "schedule"));
    keys.optional(
        CONTRIBUTION + ".separation",
        Type.LONG,
        1L,
        Rules.atLeast(1),
        "Two rounds with the same unit lie at least so many rounds apart.",
        Condition.when(CONTRIBUTION, "schedule"));
  }

  private static void noiseKey(ConfigKeys keys) {
    keys.optional(
        "noise.key.file",
        Type.STRING,
        null,
        Rules.path(),
        "The file with the secret from which all noise follows: 64 hexadecimal digits, readable by its owner alone."
            + " `sotto key FILE` makes one. Keep it as long as the model, and secret for longer.");
    keys.optional(
        "noise.key.env",
        Type.STRING,
        null,
        Rules.variable(),
        "The name of the environment variable that holds those digits. Give either this or the file.");
    keys.optional(
        KeySources.PREVIOUS,
        Type.LIST,
        null,
        Rules.items(),
        "Files with the noise keys that were in force before, to rotate the key: rounds that begin from now on follow from"
            + " the present one, and each ledger entry names its own. Keep the earlier keys as long as the model: its name,"
            + " its units' names and what was begun under them follow from them.");
  }

  private static void metrics(ConfigKeys keys) {
    keys.optional(
        "metrics.share",
        Type.DOUBLE,
        0.0,
        Rules.numbers("at least 0 and at most 0.9", f -> f >= 0 && f <= 0.9),
        "The share of the budget (of mu squared; of epsilon with laplace) that pays for private metrics: loss, accuracy"
            + " and a reliability curve of the examples before they are learned from, on `<app.id>.metrics`. Where units"
            + " have a budget each, that of a unit in privacy.contribution.rounds in a row (with a noise multiplier: of"
            + " what one round costs). Without a share there are none (docs/metrics.md).");
    keys.optional(
        "metrics.loss.bound",
        Type.DOUBLE,
        2.0,
        Rules.positive(),
        "Losses are cut at this before they are summed.");
    keys.optional(
        "metrics.bins",
        Type.INT,
        10,
        Rules.between(1, 1000),
        "Bins of the reliability curve: equal parts of the predictions' range from 0 to 1.");
    keys.optional(
        "metrics.window.rounds",
        Type.LONG,
        1L,
        Rules.between(1, 1L << 40),
        "Rounds whose noisy metrics are published together.");
    keys.optional(
        "metrics.unsafe.exact",
        Type.BOOLEAN,
        false,
        Rules.any(),
        "UNSAFE: publishes the metrics without noise, which voids the guarantee; the ledger then promises nothing. For"
            + " public or synthetic data only. Needs metrics.share 0.");
  }
}
