package dev.sotto.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.range.NumberRange;
import dev.sotto.learner.range.RangeWindow;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.feature.FeatureMapText;
import dev.sotto.serdes.record.StartingModel;
import dev.sotto.testing.Seed;
import dev.sotto.topology.start.ModelFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code start.from} with model files; with topics it is tested on a broker. */
class WarmStartConfigTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);

  @TempDir
  Path folder;

  private static final String FEATURES = """
      app.id: fresh
      events: {topic: t, format: json}
      features.numeric.a: {field: a, min: 0, max: 1}
      features.numeric.b: {field: b, min: 0, max: 1}
      label.field: y
      privacy: {epsilon: 20, delta: 1e-6}
      """;

  private static SottoConfig load(String yaml, String... flags) {
    return SottoConfig.load(ConfigSource.of("a test", yaml)
        .withNoiseKey(KEY)
        .withEmbedded(true)
        .withFlags(List.of(flags)));
  }

  /** A final run over that plan's features, which has spent mu 0.4. */
  private Path file(Plan plan, String participation, PrivacyUnit unit) throws IOException {
    double[] weights = Seed.random(1).doubles(plan.dimension(), -1, 1).toArray();
    Guarantee guarantee = Guarantee.of(unit, Adjacency.ZERO_OUT, "blt", 0.4, 0.5, 1e-6);
    byte[] digest = ModelSnapshot.digest(weights, guarantee);
    LedgerEntry entry = new LedgerEntry(
        1,
        new byte[32],
        "m",
        new byte[16],
        0,
        1,
        9,
        plan.algorithm(),
        1,
        1,
        5,
        1,
        guarantee,
        8,
        0,
        true,
        900,
        0,
        List.of(new OffsetRange(0, 0, 900)),
        digest,
        new byte[32],
        "key",
        4,
        new LedgerEntry.Terms(
            "",
            participation,
            "none",
            0,
            "gaussian-dp",
            0,
            plan.batch(),
            0,
            1,
            plan.terms().rangeWindow()));
    ModelSnapshot manifest = new ModelSnapshot(
        "m",
        new byte[16],
        0,
        9,
        plan.dimension(),
        1,
        digest,
        plan.features(),
        plan.lossName(),
        plan.algorithm(),
        true,
        guarantee,
        new byte[32],
        List.of(),
        new byte[32]);
    StartingModel.Records records =
        new StartingModel.Records(false, "topic-id", List.of(new OffsetRange(0, 0, 900)), 1);
    Path file = folder.resolve("model");
    ModelFiles.write(
        file, new StartingModel("old.snapshots@9", manifest, weights, entry, entry, records));
    return file;
  }

  private Path file(Plan plan) throws IOException {
    return file(plan, "once", PrivacyUnit.RECORD);
  }

  private static void refused(String yaml, String why, String... flags) {
    assertThatThrownBy(() -> load(yaml, flags))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("start.from")
        .hasMessageContaining(why);
  }

  @Test
  void beginsAtTheWeightsOfTheFileAndCountsItsCost() throws IOException {
    Plan old = load(FEATURES, "loss=logistic").learner().plan();
    Path file = file(old);
    SottoConfig config = load(FEATURES, "loss=logistic", "start.from=" + file);
    Plan plan = config.learner().plan();
    assertThat(plan.start()).isEqualTo(ModelFiles.read(file).weights());
    assertThat(plan.budget().spentMu()).isEqualTo(0.4);
    assertThat(plan.fingerprint()).isNotEqualTo(old.fingerprint());
    assertThat(config.learner().learnedBefore()).isEmpty();
    assertThat(config.learner().run().start().orElseThrow().fromTopics()).isFalse();
    Plan hinge = load(FEATURES, "loss=hinge", "start.from=" + file).learner().plan();
    assertThat(hinge.start()).isEqualTo(plan.start());
    Plan both = load(FEATURES, "loss=logistic", "start.from=" + file, "privacy.spent.mu=0.3")
        .learner()
        .plan();
    assertThat(both.budget().spentMu()).isEqualTo(Math.nextUp(StrictMath.hypot(0.3, 0.4)));
  }

  /** Ranges that a model has measured hold for the run that begins at it: no window. */
  @Test
  void carriesRangesOver() throws IOException {
    String free = FEATURES
        .replace("{field: a, min: 0, max: 1}", "{field: a}")
        .replace("{field: b, min: 0, max: 1}", "{field: b}");
    Plan old = load(free, "loss=logistic").learner().plan();
    List<NumberRange> ranges = List.of(NumberRange.of(3, 7), NumberRange.ATOM);
    Path file = file(old.toBuilder()
        .features(FeatureMapText.measured(
            old.features(), old.ranges().window().orElseThrow(), old.batch(), ranges))
        .build());
    Plan now = load(free, "loss=logistic", "start.from=" + file).learner().plan();
    assertThat(now.ranges().known()).isEqualTo(ranges);
    assertThat(now.ranges().window()).isEmpty();
    assertThat(now.features()).endsWith("range a measured 3 7\nrange b atom 0 0\n");
    assertThat(now.start()).isEqualTo(ModelFiles.read(file).weights());
    assertThat(now.terms().rangeWindow()).isEmpty();
    RangeWindow paid = old.ranges().window().orElseThrow();
    RangeWindow more = new RangeWindow(paid.numbers(), paid.rounds(), paid.sigma() / 2, 1);
    Plan exacter = old.toBuilder()
        .features(FeatureMapText.measured(old.features(), more, old.batch(), ranges))
        .build();
    assertThatThrownBy(() -> file(exacter))
        .hasMessageContaining("in another window than its ledger entry pays for");
    Plan other = load(free, "loss=logistic").learner().plan();
    assertThat(now.fingerprint()).isNotEqualTo(other.fingerprint());

    Path without = file(load(FEATURES, "loss=logistic").learner().plan());
    assertThatThrownBy(() -> load(free, "loss=logistic", "start.from=" + without))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("features.ranges must be none in a run that begins at")
        .hasMessageContaining("no ranges of a, b");
  }

  /** Several rows of weights: each is carried over by itself. */
  @Test
  void carriesEveryRowOver() throws IOException {
    String[] three = {"loss=softmax", "loss.classes=3"};
    Plan old = load(FEATURES, three).learner().plan();
    Path file = file(old);
    double[] weights = ModelFiles.read(file).weights();
    List<String> flags = new ArrayList<>(List.of(three));
    flags.add("start.from=" + file);
    flags.add("features.numeric.aa.field=aa");
    flags.add("features.numeric.aa.min=0");
    flags.add("features.numeric.aa.max=1");
    double[] now = load(FEATURES, flags.toArray(String[]::new)).learner().plan().start();
    assertThat(now).hasSize(93);
    for (int row = 0; row < 3; row++) {
      double[] had = Arrays.copyOfRange(weights, 21 * row, 21 * row + 21);
      double[] has = Arrays.copyOfRange(now, 31 * row, 31 * row + 31);
      assertThat(Arrays.stream(has).filter(each -> each != 0).toArray()).containsExactly(had);
      assertThat(has[0]).isEqualTo(had[0]);
    }
    refused(FEATURES, "of a loss of the same shape", "loss=logistic", "start.from=" + file);
    refused(
        FEATURES,
        "of a loss of the same shape",
        "loss=softmax",
        "loss.classes=4",
        "start.from=" + file);
  }

  @Test
  void needsTheVeryFeaturesOfANetwork() throws IOException {
    String[] network = {
      "loss=network", "network.hidden=2", "network.output=logistic", "network.activation=tanh"
    };
    List<String> flags = new ArrayList<>(List.of(network));
    Plan old = load(FEATURES, network).learner().plan();
    flags.add("start.from=" + file(old));
    double[] same =
        load(FEATURES, flags.toArray(String[]::new)).learner().plan().start();
    assertThat(same).isEqualTo(ModelFiles.read(folder.resolve("model")).weights());
    flags.add("features.bias=false");
    refused(FEATURES, "start.from must be a model of", flags.toArray(String[]::new));
  }

  @Test
  void refusesWhatItCannotCarryOver() throws IOException {
    Plan old = load(FEATURES, "loss=logistic").learner().plan();
    String from = "start.from=" + file(old);
    refused(FEATURES, "leaves nothing of the budget", "loss=logistic", from, "privacy.epsilon=1");
    refused(
        FEATURES,
        "only a run of one model",
        "loss=logistic",
        from,
        "layout=direct",
        "model.id.source=partition");
    refused(
        FEATURES,
        "which bounds nothing of unit key",
        "loss=logistic",
        from,
        "privacy.unit=key",
        "unit.from=key");
    refused(
        FEATURES,
        "which bounds nothing of unit record",
        "loss=logistic",
        from,
        "privacy.contribution=first-of-id",
        "unit.from=key");
    refused(
        FEATURES,
        "a model file where no broker is asked (by --embedded",
        "loss=logistic",
        "start.from=old.snapshots@3");
    Path learned =
        Files.writeString(folder.resolve("model.json"), "{\"format\":\"sotto-model 1\"}");
    assertThatThrownBy(() -> load(FEATURES, "loss=logistic", "start.from=" + folder))
        .hasMessageContaining("the model file " + folder + " cannot be read: java.io")
        .hasMessageNotContaining("write one with");
    assertThatThrownBy(() -> load(FEATURES, "loss=logistic", "start.from=" + learned))
        .hasMessageContainingAll("it is a model in JSON, as learn", "sotto snapshot --out FILE");
    refused(
        "app.id: x\nevents: {topic: t, format: example}\nfeatures.dimension: 3\n"
            + "privacy: {epsilon: 20, delta: 1e-6}\n",
        "have no names",
        "loss=logistic",
        from);
    String keyed = "start.from="
        + file(
            load(FEATURES, "loss=logistic", "privacy.unit=key", "unit.from=key")
                .learner()
                .plan(),
            "budgeted mu=0x1.0p0",
            PrivacyUnit.KEY);
    String[] unit = {"loss=logistic", keyed, "privacy.unit=key", "unit.from=field", "unit.field=u"};
    refused(FEATURES, "which bounds nothing of unit key", unit);
    unit[3] = "unit.from=key";
    unit[4] = "run.label=2";
    assertThat(load(FEATURES, unit).learner().plan().budget().spentMu()).isEqualTo(0.4);
  }

  /** What one slot sees had several of its own where nothing was joined, or otherwise. */
  @Test
  void refusesAJoinWhoseUnitsWereSeveral() throws IOException {
    String[] flags = {"loss=logistic", "events.labels.topic=y", "events.labels.wait.ms=5000", "", ""
    };
    Plan joined = load(FEATURES, Arrays.copyOf(flags, 3)).learner().plan();
    flags[3] = "start.from=" + file(joined);
    flags[4] = "events.labels.missing=negative";
    assertThat(load(FEATURES, flags).learner().plan().budget().spentMu()).isEqualTo(0.4);
    flags[4] = "events.labels.id=a";
    refused(FEATURES, "of which it may hold several", flags);
    flags = Arrays.copyOf(flags, 4);
    flags[2] = "events.labels.wait.ms=4999";
    refused(FEATURES, "of which it may hold several", flags);
    assertThat(load(FEATURES, flags[0], flags[3]).learner().plan().budget().spentMu())
        .isEqualTo(0.4);
    flags[3] = "start.from=" + file(load(FEATURES, flags[0]).learner().plan());
    refused(FEATURES, "known of single records, of which it may hold several", flags);
  }

  /** Under other bounds every prediction would be another one; another name of the field is not. */
  @Test
  void refusesOtherBoundsOfTheLabel() throws IOException {
    String[] flags = {"loss=squared", "label.min=0", "label.max=10", "privacy.epsilon=20"};
    flags[3] =
        "start.from=" + file(load(FEATURES, Arrays.copyOf(flags, 3)).learner().plan());
    double[] weights = ModelFiles.read(folder.resolve("model")).weights();
    assertThat(load(FEATURES, flags).learner().plan().start()).isEqualTo(weights);
    flags[2] = "label.max=20";
    refused(FEATURES, "whose label has the same bounds", flags);
    flags[2] = "label.max=10";
    String renamed = FEATURES.replace("label.field: y", "label.field: z");
    assertThat(load(renamed, flags).learner().plan().start()).hasSameSizeAs(weights);
  }
}
