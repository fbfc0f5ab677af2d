package dev.sotto.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.config.key.SecretValues;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Softmax;
import dev.sotto.learner.optimizer.AcceleratedDpSrgd;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.optimizer.settings.Optimizers;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.learner.training.VersionSchedule;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.registry.RegisteredSchema;
import dev.sotto.serdes.registry.SchemaIdFile;
import dev.sotto.serdes.registry.SchemaIds;
import dev.sotto.topology.registry.RegistryCopies;
import dev.sotto.topology.settings.ApplicationKeys;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SottoConfigTest {
  @Test
  void readsTheFlightsExample() throws IOException {
    SottoConfig config = SottoConfig.load(
        ConfigSource.of(Texts.home().resolve("examples/hflights.yaml")).withEnvironment(Texts.KEY));
    Plan plan = config.learner().plan();
    assertThat(config.warnings()).isEmpty();
    assertThat(config.learner().app()).isEqualTo("hflights");
    assertThat(config.learner().layout()).isEqualTo(Layout.ORDERED);
    assertThat(config.learner().modelIds())
        .isEqualTo(new ModelIdRule(ModelIdRule.Source.CONSTANT, "late"));
    assertThat(plan.dimension()).isEqualTo(1 + 2 * 10 + 1024);
    assertThat(plan.clip()).isEqualTo(0.75);
    assertThat(plan.lossName()).isEqualTo("logistic");
    assertThat(plan.features()).contains("events json").contains("cross origin_carrier");
    assertThat(plan.allows(1L << 60)).isTrue();
    assertThat(plan.batch()).isBetween(16L, 128L);
    assertThat(plan.guarantee(437).epsilonLimit()).isBetween(1.999999, 2.0);
    EventDecoder decoder = config.learner().decoder().get();
    Slot slot = new Slot(decoder.dimension());
    String event = """
        {"key":"N980DL","ts":1293860940000,"label_ts":1293867960000,"x":{"carrier":"DL","origin":"IAH","dest":"ATL",
         "month":1,"dow":6,"hour":5,"distance":689,"dep_delay":-1},"late":0,"arr_delay":-11}""";
    assertThat(decoder.decode(null, event.getBytes(StandardCharsets.UTF_8), slot))
        .isEqualTo(RecordStatus.USED);
    assertThat(slot.example().norm()).isCloseTo(1, within(1e-12));
  }

  @Test
  void readsTheExampleThatProtectsPersons(@TempDir Path folder) throws IOException {
    Path key = folder.resolve("noise.key");
    NoiseKey.create(key);
    Plan plan = SottoConfig.load(ConfigSource.of(Texts.home().resolve("examples/persons.yaml"))
            .withEnvironment(Map.of())
            .withFlags(List.of("noise.key.file=" + key)))
        .learner()
        .plan();
    assertThat(plan.unit()).isEqualTo(PrivacyUnit.KEY);
    assertThat(plan.participation())
        .isEqualTo(new Participation.Budgeted(
            new Budget(2, 1e-6).muLimit(),
            (PlanKeys.USUAL_SEPARATION_SLOTS + plan.batch() - 1) / plan.batch()));
    assertThat(plan.account().roundsInARow(100)).isEqualTo(PlanKeys.USUAL_PARTICIPATIONS);
    assertThat(plan.guarantee(1000).epsilon()).isBetween(1.999999, 2.0);
  }

  @Test
  void takesTheBudgetAsAMuToo() {
    String yaml = Texts.VALID.replace("  epsilon: 2\n", "  mu: 0.5\n");
    Plan plan = SottoConfig.load(Texts.source(yaml)).learner().plan();
    assertThat(plan.budget().totalMu()).isBetween(0.5 * (1 - 1e-8), 0.5);
    assertThat(plan.budget().epsilon()).isCloseTo(2.2540846502, within(1e-9));
    Plan later = SottoConfig.load(Texts.source(yaml + "privacy.spent.mu: 0.3\n"))
        .learner()
        .plan();
    assertThat(later.sigma() / plan.sigma()).isCloseTo(0.5 / 0.4, within(1e-6));
    assertThat(later.guarantee(1000).mu()).isBetween(0.4999, 0.5);
  }

  @Test
  void readsTheMinimalExample() {
    SottoConfig config =
        SottoConfig.load(ConfigSource.of(Texts.home().resolve("examples/minimal.yaml"))
            .withEnvironment(Map.of("SOTTO_NOISE_KEY_FILE", "")) // empty: absent
            .withFlags(List.of("noise.key.file=" + key())));
    assertThat(config.learner().plan().dimension()).isEqualTo(11);
  }

  /** Eight intervals unless there would be more than 4096 weights of them. */
  @Test
  void givesNumbersHatsWhereTheyMakeNoRoundLarger() {
    assertThat(plan().features()).contains("\nhats 8\n");
    assertThat(plan().dimension()).isEqualTo(11);
    assertThat(plan("features.hats=3").dimension()).isEqualTo(6);
    assertThat(plan("features.hats=0").features()).doesNotContain("hats");
    assertThat(plan("features.hats=0").dimension()).isEqualTo(2);
    String[] many = {"loss=softmax", "loss.classes=455"};
    assertThat(plan(many).dimension()).isEqualTo(455 * 11);
    many[1] = "loss.classes=456";
    assertThat(plan(many).dimension()).isEqualTo(456 * 2);
    String[] network = {"loss=network", "network.output=logistic", "network.hidden=456"};
    assertThat(plan(network).features()).doesNotContain("hats");
    assertThat(plan("loss=softmax", "loss.classes=456", "features.hats=1").dimension())
        .isEqualTo(456 * 4);
    for (String bad : List.of("-1", "65", "nan", "1e300")) {
      assertThatThrownBy(() -> plan("features.hats=" + bad))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("features.hats must be ");
    }
  }

  @TempDir
  private Path folder;

  private Path key() {
    try {
      Path file = folder.resolve("key");
      NoiseKey.create(file);
      return file;
    } catch (IOException broken) {
      throw new AssertionError(broken);
    }
  }

  @Test
  void refusesAKeyFileThatOthersCanRead() throws IOException {
    Path open = folder.resolve("open");
    Files.writeString(open, Texts.DIGITS);
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
    String yaml = Texts.VALID.replace("noise.key.env: SOTTO_NOISE_KEY", "noise.key.file: " + open);
    assertThat(catchThrowable(() -> SottoConfig.load(Texts.source(yaml))))
        .hasMessageContaining("noise.key.file must name a usable key")
        .hasMessageContaining("chmod 600")
        .hasMessageNotContaining(Texts.DIGITS);
  }

  @Test
  void prefersFlagsToTheEnvironmentAndThatToTheFile() {
    Map<String, String> environment = new HashMap<>(Texts.KEY);
    environment.put("SOTTO_BATCH_SIZE", "200");
    environment.put("SOTTO_CLIP_NORM", "2");
    environment.put("SOTTO_BOOTSTRAP_SERVERS", "b:1,c:2");
    ConfigSource source = Texts.source(
            Texts.VALID + "batch.size: 100\nclip.norm: 3\nrun.label: file")
        .withEnvironment(environment)
        .withFlags(List.of("batch.size=300"));
    SottoConfig config = SottoConfig.load(source);
    assertThat(config.learner().plan().batch()).isEqualTo(300);
    assertThat(config.learner().plan().clip()).isEqualTo(2);
    assertThat(config.learner().label()).isEqualTo("file");
    assertThat(config.service().bootstrapServers()).isEqualTo("b:1,c:2");
    assertThat(SottoConfig.load(source.withBootstrapServers("d:3")).service().bootstrapServers())
        .isEqualTo("d:3");
  }

  @Test
  void needsNoBrokersForAnEmbeddedOne() {
    String yaml = Texts.VALID.replace("bootstrap.servers: localhost:9092\n", "");
    SottoConfig config = SottoConfig.load(Texts.source(yaml).withEmbedded(true));
    assertThat(config.service().clients()).doesNotContainKey("bootstrap.servers");
    assertThat(config.withBootstrapServers("127.0.0.1:5").service().bootstrapServers())
        .isEqualTo("127.0.0.1:5");
  }

  @Test
  void takesNestedAndDottedKeysAndTheirOrderForTheSame() {
    String nested = """
        privacy: {epsilon: 2, delta: 1e-6, horizon: {rounds: 1000}}
        features: {numeric: {b: {field: b, min: 0, max: 1}, a: {field: a, min: 0, max: 1}}}
        label: {field: y}
        """;
    String dotted = """
        features.numeric.a.max: 1
        features.numeric.a.field: a
        features.numeric.a.min: 0
        features.numeric.b: {max: 1, min: 0, field: b}
        label.field: y
        privacy.horizon.rounds: 1000
        privacy.delta: 0.000001
        privacy.epsilon: 2.0
        """;
    String common =
        "app.id: a\nbootstrap.servers: [h:1]\nevents.topic: t\nloss: logistic\nnoise.key.env: SOTTO_NOISE_KEY\n";
    byte[] first =
        SottoConfig.load(Texts.source(common + nested)).learner().plan().fingerprint();
    assertThat(SottoConfig.load(Texts.source(dotted + common)).learner().plan().fingerprint())
        .isEqualTo(first);
    assertThat(SottoConfig.load(Texts.source(dotted + common + "features.bias: false"))
            .learner()
            .plan()
            .fingerprint())
        .isNotEqualTo(first);
  }

  @Test
  void writesStepsAndLossInOneCanonicalText() {
    Plan plan = Texts.flagged(
            "loss=huber",
            "loss.threshold=0.1",
            "clip.norm=1",
            "ftrl.steps=decreasing",
            "ftrl.radius=3",
            "ftrl.diameter=2")
        .learner()
        .plan();
    assertThat(plan.lossName()).isEqualTo("huber(0.1)");
    StepSize.Decreasing steps = (StepSize.Decreasing) ((PrivateFtrl) plan.optimizer()).steps();
    assertThat(plan.steps())
        .isEqualTo("potential=l2 radius=0x1.8p1 steps=decreasing scale="
            + Double.toHexString(steps.scale()));
    double noise = plan.sigma() / plan.batch();
    assertThat(steps.scale())
        .isCloseTo(
            2
                / Math.sqrt(1
                    + plan.dimension()
                        * plan.mechanism().ofPrefixes().orElseThrow().incrementVariance()
                        * noise
                        * noise),
            within(1e-12));
    assertThat(Texts.flagged("loss=huber").learner().plan().lossName()).isEqualTo("huber(1.0)");
    assertThat(Texts.flagged(
                "ftrl.potential=box",
                "ftrl.min=-1",
                "ftrl.max=2",
                "ftrl.steps=fixed",
                "ftrl.steps.horizon=9")
            .learner()
            .plan()
            .steps())
        .startsWith("potential=box min=-0x1.0p0 max=0x1.0p1 steps=fixed horizon=9 scale=");
  }

  @Test
  void loadsTheExampleOfTheOtherAlgorithm() throws IOException {
    SottoConfig config = SottoConfig.load(
        ConfigSource.of(Texts.home().resolve("examples/srgd.yaml")).withEnvironment(Texts.KEY));
    assertThat(config.warnings()).isEmpty();
    Plan plan = config.learner().plan();
    assertThat(((AcceleratedDpSrgd) plan.optimizer()).beta()).isBetween(0.5, 1.0);
    assertThat(plan.batch()).isBetween(512L, 4096L);
    assertThat(plan.generations().describe()).isEqualTo("constant 32");
    assertThat(plan.guarantee(32).epsilon()).isBetween(1.99, 2.0);
    assertThat(plan.guarantee(1000).epsilon()).isEqualTo(plan.guarantee(32).epsilon());
  }

  @Test
  void loadsTheExampleOfLayoutRounds() throws IOException {
    SottoConfig config = SottoConfig.load(
        ConfigSource.of(Texts.home().resolve("examples/rounds.yaml")).withEnvironment(Texts.KEY));
    assertThat(config.warnings()).isEmpty();
    assertThat(config.learner().layout()).isEqualTo(Layout.ROUNDS);
    Plan plan = config.learner().plan();
    assertThat(plan.batch() % 8).isZero();
    assertThat(plan.lag()).isZero();
    assertThat(plan.guarantee(64).epsilon()).isBetween(1.99, 2.0);
  }

  @Test
  void writesTheOtherAlgorithmInOneCanonicalText() {
    Plan plan = Texts.flagged(
            "algorithm=accelerated-dp-srgd",
            "srgd.beta.multiplier=8",
            "srgd.set=l2",
            "srgd.radius=3",
            "srgd.accelerated=false",
            "srgd.gradients=independent",
            "privacy.generations=doubling",
            "privacy.generations.rounds=16")
        .learner()
        .plan();
    assertThat(plan.algorithm()).isEqualTo("accelerated-dp-srgd");
    assertThat(plan.steps())
        .isEqualTo("set=l2 radius=0x1.8p1 beta=0x1.0p1 accelerated=false gradients=independent");
    AcceleratedDpSrgd srgd = (AcceleratedDpSrgd) plan.optimizer();
    assertThat(srgd.beta()).isEqualTo(2);
    assertThat(srgd.accelerated()).isFalse();
    assertThat(srgd.gradients()).isEqualTo(AcceleratedDpSrgd.Gradients.INDEPENDENT);
    double[] far = {0, 5};
    srgd.set().project(far);
    assertThat(far).containsExactly(0, 3);
    assertThat(plan.generations().describe()).isEqualTo("doubling 16");
    assertThat(srgd("srgd.beta=2").steps())
        .isEqualTo("set=all beta=0x1.0p1 accelerated=true gradients=recursive");
    assertThat(srgd("srgd.beta=2", "srgd.set=box", "srgd.min=-1", "srgd.max=2").steps())
        .isEqualTo(
            "set=box min=-0x1.0p0 max=0x1.0p1 beta=0x1.0p1 accelerated=true gradients=recursive");
    assertThat(srgd("srgd.beta=2").fingerprint())
        .isEqualTo(srgd("srgd.beta.multiplier=8").fingerprint())
        .isNotEqualTo(srgd("srgd.beta=2", "srgd.accelerated=false").fingerprint());
  }

  private static Plan srgd(String... flags) {
    List<String> all = new ArrayList<>(List.of(flags));
    all.add("algorithm=accelerated-dp-srgd");
    return Texts.flagged(all.toArray(String[]::new)).learner().plan();
  }

  @Test
  void namesEveryLossWithAllThatDecidesIt() {
    assertThat(ranged("loss=quantile", "loss.quantile=0.9").lossName()).isEqualTo("quantile(0.9)");
    assertThat(plan("loss=smoothed-hinge").lossName()).isEqualTo("smoothed-hinge(1.0)");
    assertThat(ranged("loss=absolute").lossName()).isEqualTo("absolute");
    assertThat(ranged("loss=poisson").lossName()).isEqualTo("poisson");
    Plan softmax = plan("loss=softmax", "loss.classes=4");
    assertThat(softmax.lossName()).isEqualTo("softmax(4)");
    assertThat(softmax.objective()).isEqualTo(new Softmax(4));
    assertThat(softmax.inputs()).isEqualTo(11); // the bias, x and its hats
    assertThat(softmax.dimension()).isEqualTo(44);
    Plan named = plan("label.names=red,green,blue", "loss=softmax");
    assertThat(named.lossName()).isEqualTo("softmax(3)");
    assertThat(named.features()).contains("names \"red\" \"green\" \"blue\"");
  }

  @Test
  void readsAListInBracketsAsInAFile() {
    assertThat(plan("label.names=[red, 'a, b']", "loss=softmax").features())
        .contains("names \"red\" \"a, b\"");
    assertThat(Texts.flagged("bootstrap.servers=[::1]:9092,[::1]:9093")
            .effective()
            .get(ApplicationKeys.BOOTSTRAP_SERVERS))
        .containsExactly("[::1]:9092", "[::1]:9093");
  }

  @Test
  void startsANetworkAtItsSeed() {
    String[] network = {
      "loss=network", "network.hidden=3", "network.output=softmax", "loss.classes=2"
    };
    Plan plan = plan(network);
    assertThat(plan.lossName())
        .isEqualTo("network(hidden=3 activation=tanh output=softmax(2) seed=1)");
    assertThat(plan.dimension()).isEqualTo(3 * 11 + 2 * 4);
    assertThat(plan.steps()).contains("radius=Infinity center=start");
    double[] start = plan.start();
    assertThat(start).isNotEqualTo(new double[41]);
    assertThat(plan.optimizer().start(start).weights()).isEqualTo(start);
    assertThat(plan("loss=network", "network.hidden=3", "network.seed=2").start())
        .isNotEqualTo(plan("loss=network", "network.hidden=3").start());
    Plan srgd = plan(
        "loss=network",
        "network.hidden=3",
        "network.activation=gelu",
        "network.output=squared",
        "clip.norm=1",
        "algorithm=accelerated-dp-srgd",
        "srgd.beta=1",
        "srgd.set=l2",
        "srgd.radius=0.5");
    assertThat(srgd.lossName())
        .isEqualTo("network(hidden=3 activation=gelu output=squared seed=1)");
    assertThat(srgd.steps()).startsWith("set=l2 radius=0x1.0p-1 center=start beta=");
    assertThat(srgd.optimizer().start(srgd.start()).weights())
        .containsExactly(srgd.start(), within(1e-15));
  }

  private static Plan ranged(String... flags) {
    List<String> all = new ArrayList<>(List.of(flags));
    all.addAll(List.of("label.min=0", "label.max=9"));
    return plan(all.toArray(String[]::new));
  }

  private static Plan plan(String... flags) {
    return Texts.flagged(flags).learner().plan();
  }

  @Test
  void takesTheDiameterOfTheSetAndOneForTheWholeSpace() {
    double one = scale("ftrl.diameter=1");
    assertThat(scale()).isEqualTo(one);
    assertThat(scale("ftrl.steps.multiplier=3")).isCloseTo(3 * one, within(1e-12));
    assertThat(scale("ftrl.radius=4")).isCloseTo(4 / Math.sqrt(2) * one, within(1e-12));
    assertThat(scale("ftrl.radius=4", "ftrl.diameter=5")).isCloseTo(5 * one, within(1e-12));
  }

  private static double scale(String... flags) {
    List<String> all = new ArrayList<>(List.of(flags));
    all.add("ftrl.steps=decreasing");
    PrivateFtrl optimizer = (PrivateFtrl) plan(all.toArray(String[]::new)).optimizer();
    return ((StepSize.Decreasing) optimizer.steps()).scale();
  }

  @Test
  void makesTheNoiseFromTheMultiplierOrTheHorizon() {
    String yaml = Texts.VALID.replace("horizon.rounds: 1000", "noise.multiplier: 7");
    Plan given = SottoConfig.load(Texts.source(yaml)).learner().plan();
    assertThat(given.sigma()).isEqualTo(7 * 0.75);
    Plan doubled = SottoConfig.load(
            Texts.source(yaml).withFlags(List.of("privacy.adjacency=replace-one", "clip.norm=3")))
        .learner()
        .plan();
    assertThat(doubled.sigma()).isEqualTo(7 * 2 * 3);
    assertThat(doubled.mu(1)).isEqualTo(given.mu(1));
    Plan calibrated = Texts.load().learner().plan();
    assertThat(calibrated.allows(1000)).isTrue();
    assertThat(calibrated.allows(1024)).isFalse();
    Plan endless = Texts.flagged("privacy.horizon.rounds=endless", "privacy.mechanism=independent")
        .learner()
        .plan();
    assertThat(endless.allows(Long.MAX_VALUE)).isTrue();
  }

  @Test
  void readsExamplesThatAreReadyMade() {
    String yaml = Texts.VALID
        .replace(
            "features.numeric.x: {field: x, min: -1, max: 1}\n",
            "events.format: example\nfeatures.dimension: 3\n")
        .replace("label.field: y\n", "");
    SottoConfig config = SottoConfig.load(Texts.source(yaml));
    Slot slot = new Slot(3);
    byte[] value = ExampleCodec.encodeDense(null, null, new double[] {0.5, 0, 0}, 1, 1);
    assertThat(config.learner().decoder().get().decode(null, value, slot))
        .isEqualTo(RecordStatus.USED);
    assertThat(config.learner().plan().features()).contains("dimension 3").contains("unit none");
  }

  @Test
  void readsTheUnitOfAnExampleFromTheFieldThatTheRuleMeans() {
    assertThat(unitOfExample("privacy.contribution: first-of-id")).isEqualTo("record");
    assertThat(unitOfExample("privacy.unit: key\nprivacy.contribution: schedule\n"
            + "privacy.contribution.most: 3\nprivacy.mechanism: independent"))
        .isEqualTo("user");
  }

  private static String unitOfExample(String rule) {
    String yaml = Texts.VALID
        .replace(
            "features.numeric.x: {field: x, min: -1, max: 1}\n",
            "events.format: example\nfeatures.dimension: 2\nunit.from: field\n" + rule + "\n")
        .replace("label.field: y\n", "");
    Slot slot = new Slot(2);
    byte[] user = "user".getBytes(StandardCharsets.UTF_8);
    byte[] value = ExampleCodec.encodeDense("record", user, new double[] {0.5, 0}, 1, 1);
    SottoConfig.load(Texts.source(yaml)).learner().decoder().get().decode(null, value, slot);
    return new String(slot.unit(), 0, slot.unitLength(), StandardCharsets.UTF_8);
  }

  @Test
  void readsAvroBySchemaFiles() throws IOException {
    Path schema = folder.resolve("event.avsc");
    Files.writeString(schema, """
        {"type":"record","name":"E","fields":[{"name":"x","type":"double"},{"name":"y","type":"int"}]}""");
    String avro = Texts.VALID + "events.format: avro\nevents.avro.schemas: [\"" + schema + "\"]\n";
    Plan single = SottoConfig.load(Texts.source(avro)).learner().plan();
    Plan raw = SottoConfig.load(Texts.source(avro + "events.avro.framing: raw"))
        .learner()
        .plan();
    assertThat(single.features()).contains("events avro single-object\n");
    assertThat(raw.features()).containsPattern("events avro raw [0-9a-f]+\n");
    String missing = avro + "features.numeric.z: {field: z, min: 0, max: 1}";
    assertThat(catchThrowable(() -> SottoConfig.load(Texts.source(missing))))
        .hasMessageContaining("events.avro.schemas must have every field that is read")
        .hasMessageContaining("\"z\"");
  }

  @Test
  void readsAvroByIdsOfARegistry() throws IOException {
    Path ids = folder.resolve("ids.jsonl");
    Files.writeString(ids, """
        {"id":1,"schema":{"type":"record","name":"E","fields":[{"name":"x","type":"double"},{"name":"y","type":"int"}]}}
        """);
    String avro = Texts.VALID + "events.format: avro\nevents.avro.framing: confluent\n";
    String offline = avro + "events.registry.file: \"" + ids + "\"\n";
    LearnerSettings learner = SottoConfig.load(Texts.source(offline)).learner();
    assertThat(learner.plan().features()).contains("events avro confluent\n");
    Slot slot = new Slot(learner.plan().inputs());
    ByteBuffer event = ByteBuffer.allocate(14).put((byte) 0).putInt(1);
    byte[] value =
        event.order(ByteOrder.LITTLE_ENDIAN).putDouble(0.5).put((byte) 2).array();
    assertThat(learner.decoder().get().decode(null, value, slot)).isEqualTo(RecordStatus.USED);
    String url = avro + "events.registry.url: https://registry.example/\n";
    assertThat(SottoConfig.load(Texts.source(url)).learner().events().registry())
        .isPresent();
    assertThat(SottoConfig.load(Texts.source(url)).learner().plan().features())
        .isEqualTo(learner.plan().features());
    Map<String, String> environment = new HashMap<>(Texts.KEY);
    environment.put("REGISTRY", "user:hunter2");
    String basic = url + "events.registry.auth: basic\nevents.registry.secret.env: REGISTRY\n";
    SottoConfig config = SottoConfig.load(Texts.source(basic).withEnvironment(environment));
    assertThat(config.effective().written().toString())
        .contains("REGISTRY")
        .doesNotContain("hunter2");
    Path state = folder.resolve("state");
    String kept = url + "state.dir: \"" + state + "\"\n";
    String app = learner.app();
    new SchemaIdFile(state.resolve(app + ".schemas.jsonl"))
        .add(RegisteredSchema.line(Files.readString(ids).strip()).orElseThrow()); // nobody asks
    EventDecoder restarted =
        SottoConfig.load(Texts.source(kept)).learner().decoder().get();
    assertThat(restarted.decode(null, value, slot)).isEqualTo(RecordStatus.USED);
    assertThat(config.learner().plan().features()).isEqualTo(learner.plan().features());
  }

  /** What the ids are belongs to how events are read; where they are asked for does not. */
  @Test
  void readsApicuriosIds() {
    String avro = Texts.VALID + "events.format: avro\nevents.avro.framing: confluent\n"
        + "events.registry.ids: apicurio-global\nevents.registry.url: https://host/apis/registry/v";
    LearnerSettings learner = SottoConfig.load(Texts.source(avro + "2")).learner();
    assertThat(learner.plan().features()).contains("events avro confluent apicurio-global\n");
    assertThat(learner.decoder().get().schemaIds()).isEqualTo(SchemaIds.APICURIO_GLOBAL);
    assertThat(SottoConfig.load(Texts.source(avro + "3/")).learner().plan().features())
        .isEqualTo(learner.plan().features());
  }

  @Test
  void readsCopiesForARegistry() {
    assertThat(SottoConfig.load(Texts.source(Texts.VALID)).service().copies()).isEmpty();
    String url = Texts.VALID + "published.registry.url: https://registry.example/\n";
    RegistryCopies all = SottoConfig.load(Texts.source(url)).service().copies().orElseThrow();
    assertThat(RegistryCopies.Kind.values()).allMatch(all::has);
    Map<String, String> environment = new HashMap<>(Texts.KEY);
    environment.put("REGISTRY", "user:hunter2");
    String some = url + "published.registry.topics: [ledger]\npublished.registry.auth: basic\n"
        + "published.registry.secret.env: REGISTRY\n";
    SottoConfig config = SottoConfig.load(Texts.source(some).withEnvironment(environment));
    assertThat(config.service().copies().orElseThrow().has(RegistryCopies.Kind.LEDGER))
        .isTrue();
    assertThat(config.service().copies().orElseThrow().has(RegistryCopies.Kind.SNAPSHOTS))
        .isFalse();
    assertThat(config.effective().written().toString())
        .contains("REGISTRY")
        .doesNotContain("hunter2");
    for (var each : Map.of(
            url + "published.registry.topics: [metrics]\n", "a list of ledger, snapshots",
            url.replace("https", "http") + "published.registry.auth: basic\n", "secrets need TLS",
            Texts.VALID + "published.registry.schemas: lookup\n", "published.registry.url",
            url + "published.registry.secret.env: user:hunter2\n", "********")
        .entrySet()) {
      assertThat(catchThrowable(() -> SottoConfig.load(Texts.source(each.getKey()))))
          .hasMessageContaining(each.getValue())
          .hasMessageNotContaining("hunter2");
    }
  }

  @Test
  void readsARegistryAlone() throws IOException {
    Path ids = folder.resolve("ids.jsonl");
    Files.writeString(ids, "{\"id\":1,\"schema\":\"\\\"int\\\"\"}\n");
    assertThat(RegistryConfig.load(Texts.source(Texts.VALID))).isEmpty();
    ConfigSource broken = Texts.source("loss.clip: none\nevents.registry.file: \"" + ids + "\"\n");
    assertThat(RegistryConfig.load(broken).orElseThrow().schema(1).text()).isEqualTo("\"int\"");
    ConfigSource flags = ConfigSource.of("flags", "")
        .withFlags(List.of("events.registry.file=" + ids, "events.registry.url=https://host"));
    assertThat(RegistryConfig.load(flags).orElseThrow().schema(1).text()).isEqualTo("\"int\"");
    ConfigSource none = flags.withFlags(List.of("events.registry.auth=basic"));
    assertThat(catchThrowable(() -> RegistryConfig.load(none)))
        .hasMessageContaining("events.registry.url must be given, or events.registry.file");
  }

  @Test
  void hidesASecretOfARegistryThatIsInTheWrongPlace() {
    for (String secret :
        List.of("user:hunter2", "c2VjcmV0LXRva2VuLW9mLXRoZS1yZWdpc3RyeQ==", "eyJh.b.c")) {
      for (String key : List.of("events.registry.secret.env", "events.registry.secret.file")) {
        assertThat(SecretValues.shown(key, secret)).as(key).isEqualTo(SecretValues.MASK);
      }
    }
    assertThat(SecretValues.shown("events.registry.secret.env", "REGISTRY_1"))
        .isEqualTo("REGISTRY_1");
    for (String file : List.of("registry.secret", "/run/secrets/registry", "secret")) {
      assertThat(SecretValues.shown("events.registry.secret.file", file)).isEqualTo(file);
    }
  }

  @Test
  void refusesARegistryThatCannotBeAsked() throws IOException {
    Path ids = folder.resolve("ids.jsonl");
    Files.writeString(ids, "{\"id\":1}\n");
    String avro = Texts.VALID + "events.format: avro\nevents.avro.framing: confluent\n";
    Map<String, String> wrong = Map.of(
        "",
        "events.registry.url must be given, or events.registry.file",
        "events.registry.url: https://u:hunter2@host/",
        "must be http:// or https://",
        "events.registry.url: \"http://host\"\nevents.registry.auth: bearer\n"
            + "events.registry.secret.env: REGISTRY",
        "secrets need TLS",
        "events.registry.url: https://host\nevents.registry.auth: basic",
        "must be given",
        "events.registry.url: https://host\nevents.registry.auth: basic\n"
            + "events.registry.secret.env: REGISTRY",
        "must be user:password",
        "events.registry.url: https://host\nevents.registry.ca.file: none.pem",
        "must name a file of certificates",
        "events.registry.file: none.jsonl",
        "name a file with at least one schema",
        "events.registry.file: \"" + ids + "\"",
        "line 1: it has no \"schema\"");
    Map<String, String> environment = new HashMap<>(Texts.KEY);
    environment.put("REGISTRY", "hunter2");
    wrong.forEach((lines, message) -> assertThat(catchThrowable(
            () -> SottoConfig.load(Texts.source(avro + lines).withEnvironment(environment))))
        .as(lines)
        .hasMessageContaining(message)
        .hasMessageNotContaining("hunter2"));
    Map<String, String> kinds = Map.of(
        "url: https://host\nevents.registry.ids: apicurio-global",
        "events.registry.url must end with /apis/registry/v2 or /apis/registry/v3",
        "url: https://host/apis/ccompat/v7\nevents.registry.ids: apicurio-content",
        "events.registry.url must end with /apis/registry/v2 or /apis/registry/v3",
        "url: https://host/apis/registry/v3",
        "events.registry.ids must be apicurio-global or apicurio-content",
        "url: https://host\nevents.registry.ids: global",
        "must be one of confluent, apicurio-global, apicurio-content");
    kinds.forEach((lines, message) -> assertThat(
            catchThrowable(() -> SottoConfig.load(Texts.source(avro + "events.registry." + lines))))
        .hasMessageContaining(message));
    assertThat(catchThrowable(() ->
            SottoConfig.load(Texts.source(Texts.VALID + "events.registry.url: https://host"))))
        .hasMessageContaining("events.registry.url means nothing here");
  }

  @Test
  void passesKafkaSettingsThrough() {
    Map<String, String> environment = new HashMap<>(Texts.KEY);
    environment.put("SOTTO_KAFKA_SASL_JAAS_CONFIG", "hunter2");
    environment.put("SOTTO_KAFKA_UPGRADE_FROM", "4.3");
    SottoConfig config = SottoConfig.load(Texts.source(
            Texts.VALID + "kafka: {security.protocol: SASL_SSL, consumer: {max.poll.records: 5}}")
        .withEnvironment(environment)
        .withFlags(List.of("kafka.sasl.login.my.thing=1", "kafka.consumer.max.poll.record=2")));
    assertThat(config.service().clients())
        .containsEntry("security.protocol", "SASL_SSL")
        .containsEntry("upgrade.from", "4.3")
        .containsEntry("consumer.max.poll.records", "5")
        .containsEntry("sasl.jaas.config", "hunter2")
        .containsEntry("bootstrap.servers", "localhost:9092");
    assertThat(config.warnings())
        .hasSize(2)
        .anyMatch(each -> each.startsWith("kafka.sasl.login.my.thing is no setting of Kafka"))
        .anyMatch(each -> each.contains("did you mean max.poll.records?"));
  }

  @Test
  void masksSecretsInWhatItPrints() {
    SottoConfig config = Texts.flagged(
        "kafka.sasl.jaas.config=hunter2",
        "kafka.consumer.ssl.key.password=hunter3",
        "kafka.ssl.keystore.key=hunter4",
        "kafka.my.own.token=hunter5",
        "kafka.ssl.keystore.location=/a/b");
    assertThat(config.effective().yaml())
        .doesNotContain("hunter")
        .contains("kafka.sasl.jaas.config: \"********\"")
        .contains("kafka.consumer.ssl.key.password: \"********\"")
        .contains("kafka.ssl.keystore.location: /a/b")
        .contains("noise.key.env: SOTTO_NOISE_KEY");
    assertThat(config.effective().written()).containsEntry("kafka.sasl.jaas.config", "hunter2");
  }

  @Test
  void printsAConfigurationThatLoadsAsTheSame() {
    List<SottoConfig> all = new ArrayList<>(List.of(
        Texts.load(
            "label.classes: ['a, b', \"q\\\"\", '#', 'yes: no', ' x', \"t\\tt\", 'null', '-', 'ä']"),
        Texts.flagged(
            "loss=huber",
            "loss.threshold=0.3",
            "ftrl.potential=lp",
            "ftrl.p=1.1",
            "ftrl.radius=1e300"),
        Texts.flagged(
            "label.min=-1e-9",
            "label.max=1",
            "kafka.client.id=x",
            "privacy.adjacency=replace-one")));
    for (String classes :
        List.of("[3.1]", "[\"3.1\", 3.1, 'false', '\"3.1\"']", "'1e3'", "[+5, .5]")) {
      all.add(Texts.load("label.classes: " + classes));
    }
    all.add(Texts.flagged("label.classes=\"3.1\", 4"));
    for (String classes :
        List.of("\u00a03.1", "3.1 ", "\u00a03.1,x\u00a0", "3.1\u00a0,\"\u00a04\"")) {
      all.add(Texts.flagged("label.classes=" + classes)); // a number has such blanks around it too
      all.add(Texts.load("label.classes: [" + classes + "]"));
    }
    for (Optimizers algorithm : Optimizers.values()) {
      all.add(Texts.flagged("algorithm=" + algorithm.configName()));
    }
    all.forEach(SottoConfigTest::loadsAsTheSame);
  }

  /** In quotes 3.1 is a text, in YAML and in a flag that has them; the manifest tells it. */
  @Test
  void tellsClassesThatAreTextsFromNumbers() {
    String number = features(Texts.load("label.classes: [3.1, yes]"));
    assertThat(number).contains("classes \"3.1\" \"yes\"\n");
    assertThat(features(Texts.load("label.classes: [3.1, \"yes\"]"))).isEqualTo(number);
    assertThat(features(Texts.flagged("label.classes=3.1,yes"))).isEqualTo(number);
    String text = features(Texts.load("label.classes: ['3.1', yes]"));
    assertThat(text).contains("classes \"\\\"3.1\\\"\" \"yes\"\n");
    assertThat(features(Texts.flagged("label.classes=\"3.1\",yes"))).isEqualTo(text);
    assertThat(Texts.load("label.classes: ['3.1', yes]").effective().yaml())
        .contains("label.classes: [\"3.1\", yes]\n");
  }

  private static String features(SottoConfig config) {
    return config.learner().plan().features();
  }

  @Tag("long")
  @Test
  void printsEveryFormOfEveryAlgorithm() {
    for (Optimizers algorithm : Optimizers.values()) {
      loadsAsTheSame(Texts.flagged("algorithm=" + algorithm.configName(), "privacy.epsilon=0.5"));
    }
    loadsAsTheSame(Texts.flagged("algorithm=resque", "resque.form=ordered-calls"));
    loadsAsTheSame(Texts.flagged("algorithm=resque", "resque.form=pool"));
    loadsAsTheSame(Texts.flagged("algorithm=resque", "resque.rate=0.5", "block.slots=512"));
    loadsAsTheSame(Texts.flagged("algorithm=clipped-ac-sa", "heavy.moment=2"));
    loadsAsTheSame(Texts.flagged("algorithm=tree-momentum-nsgd", "momentum.epochs=4"));
    loadsAsTheSame(Texts.flagged("algorithm=sensitivity-reduced-nsgd", "momentum.form=window"));
  }

  private static void loadsAsTheSame(SottoConfig config) {
    SottoConfig again = SottoConfig.load(Texts.source(config.effective().yaml()));
    assertThat(again.learner().plan().fingerprint())
        .isEqualTo(config.learner().plan().fingerprint());
    assertThat(again.service()).isEqualTo(config.service());
    assertThat(again.effective().yaml()).isEqualTo(config.effective().yaml());
  }

  @Test
  void showsEverySettingThatAppliesAndNoOther() {
    Map<String, Object> effective = Texts.load().effective().written();
    assertThat(effective)
        .containsEntry("batch.size", "auto")
        .containsEntry("features.numeric.x.optional", false)
        .doesNotContainKeys("loss.threshold", "ftrl.p", "events.avro.framing", "model.id.header");
  }

  @Test
  void setsWhatTheServiceNeeds() {
    SottoConfig config = Texts.flagged(
        "state.dir=s",
        "topics.replication.factor=3",
        "events.start=latest",
        "topics.history.ms=5",
        "threads=2",
        "transaction.timeout.ms=8000",
        "checkpoint.slots=7",
        "checkpoint.interval.ms=8",
        "state.every.rounds=9");
    assertThat(config.service().stateFolder()).isEqualTo(Path.of("s"));
    assertThat(config.service().replication()).isEqualTo((short) 3);
    assertThat(config.service().fromLatest()).isTrue();
    assertThat(config.service().historyHorizon()).isEqualTo(Duration.ofMillis(5));
    assertThat(config.service().threads()).isEqualTo(2);
    assertThat(config.service().transactionTimeout()).isEqualTo(Duration.ofSeconds(8));
    assertThat(config.learner().cadence().checkpointSlots()).isEqualTo(7);
    assertThat(config.learner().cadence().checkpointInterval()).isEqualTo(Duration.ofMillis(8));
    assertThat(config.learner().cadence().stateEvery()).isEqualTo(9);
  }

  @Test
  void changesTheFingerprintWithEverySettingOfTheModel() {
    byte[] plain = Texts.load().learner().plan().fingerprint();
    Map<String, byte[]> changed = List.of(
            "features.norm=clip",
            "events.max.bytes=9",
            "batch.size=9",
            "release.every.slots=9000",
            "clip.norm=2",
            "loss=hinge",
            "ftrl.radius=9",
            "ftrl.shrinkage=false",
            "ftrl.steps=decreasing",
            "ftrl.steps=decreasing;ftrl.diameter=9",
            "ftrl.steps=decreasing;ftrl.steps.multiplier=2",
            "privacy.epsilon=3",
            "privacy.delta=1e-7",
            "privacy.horizon.rounds=9",
            "privacy.mechanism=independent",
            "label.threshold=1",
            "weight.field=w;weight.max=1",
            "weight.field=w;weight.max=2",
            "unit.from=key",
            "features.numeric.x.max=2",
            "features.numeric.x.transform=log1p",
            "features.numeric.x.optional=true")
        .stream()
        .collect(Collectors.toMap(
            flag -> flag,
            flag -> Texts.flagged(flag.split(";")).learner().plan().fingerprint()));
    assertThat(changed.values().stream().map(HexFormat.of()::formatHex)).doesNotHaveDuplicates();
    assertThat(changed).allSatisfy((flag, print) -> assertThat(print).as(flag).isNotEqualTo(plain));
    assertThat(
            Texts.flagged("threads=2", "state.every.rounds=4").learner().plan().fingerprint())
        .isEqualTo(plain);
    // Every round is a version all the same.
    assertThat(Texts.flagged("batch.size=4096", "release.every.slots=9")
            .learner()
            .plan()
            .fingerprint())
        .isEqualTo(Texts.flagged("batch.size=4096").learner().plan().fingerprint());
  }

  @Test
  void cutsVersionsBySlotsAndLogTime() {
    VersionSchedule usual = Texts.load().learner().plan().learning().versions();
    assertThat(List.of(usual.slots(), usual.interval())).containsExactly(4096L, 0L);
    Plan timed = Texts.flagged("layout=direct", "batch.size=64", "release.interval.ms=60000")
        .learner()
        .plan();
    assertThat(timed.learning().versions().interval()).isEqualTo(60_000);
    assertThat(timed.needsLogTime()).isTrue();
    assertThat(timed.fingerprint())
        .isNotEqualTo(
            Texts.flagged("layout=direct", "batch.size=64").learner().plan().fingerprint());
  }

  /** A slot for every four weights, and at least 65,536; 200,000 where units have histories. */
  @Test
  void writesLargeStateAfterMoreRounds() {
    assertThat(stateEvery("batch.size=64")).isEqualTo(65_536 / 64);
    assertThat(
            stateEvery("batch.size=64", "features.hash.bits=20", "features.categorical.c.field=c"))
        .isEqualTo((1 << 20) / 4 / 64); // the numeric fields beside them are no slot more
    assertThat(stateEvery(
            "batch.size=64",
            "privacy.unit=key",
            "privacy.contribution=schedule",
            "privacy.contribution.most=3",
            "unit.from=key",
            "privacy.contribution.separation=10"))
        .isEqualTo(200_000 / 64);
    assertThat(stateEvery("batch.size=64", "layout=rounds", "algorithm=accelerated-dp-srgd"))
        .isOne();
  }

  private static long stateEvery(String... settings) {
    return Texts.flagged(settings).learner().cadence().stateEvery();
  }

  @Test
  void warnsOfWeakPromises() {
    assertThat(Texts.load().warnings()).isEmpty();
    assertThat(Texts.flagged("privacy.delta=1e-5").warnings()).isEmpty();
    assertThat(Texts.flagged("privacy.epsilon=16").warnings()).isEmpty();
    assertThat(Texts.flagged("privacy.epsilon=1e9").warnings())
        .singleElement()
        .asString()
        .contains("epsilon is 1000000000", "nine of ten members");
    assertThat(Texts.flagged("privacy.delta=1e-3").warnings())
        .singleElement()
        .satisfies(warning ->
            assertThat(warning).startsWith("privacy.delta is 0.001").contains("in 1000"));
  }

  @Test
  void leavesVariablesOfConfigProvidersToTheClients() {
    SottoConfig config = Texts.load(
        "kafka.config.providers: env",
        "kafka.config.providers.env.class: org.apache.kafka.common.config.provider.EnvVarConfigProvider",
        "kafka.commit.interval.ms: ${env:INTERVAL}",
        "kafka.consumer.max.poll.records: ${env:RECORDS}");
    assertThat(config.warnings()).isEmpty();
    assertThat(config.service().clients())
        .containsEntry("config.providers", "env")
        .containsKey("config.providers.env.class")
        .containsEntry("consumer.max.poll.records", "${env:RECORDS}");
    assertThat(catchThrowable(() -> Texts.load("kafka.consumer.max.poll.records: ${env:RECORDS}")))
        .hasMessageContaining("must be a whole number");
  }
}
