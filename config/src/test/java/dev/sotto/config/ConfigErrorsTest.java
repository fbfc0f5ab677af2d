package dev.sotto.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sotto.config.key.KafkaSettings;
import dev.sotto.learner.settings.ConfigError;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigErrorsTest {
  private static final String BROKEN = """
      app.id: "a b"
      layout: ordered
      model.id.source: key
      model.id: m
      events:
        topic: t
        formt: json
        avro.framing: raw
      features:
        numeric:
          a: {field: x, min: 5, max: 1}
          b: {field: y, mni: 1, max: inf}
        categorical:
          c: {}
        cross.d.fields: [x]
        hash.bits: 30
      label.field: y
      label.threshold: 1
      label.classes: [a, b]
      loss: logstic
      batch.size: 0
      clip.norm: many
      ftrl.p: 1.2
      privacy.epsilon: -1
      privacy.delta: NaN
      privacy.unit: person
      privacy.noise.multiplier: 1
      privacy.horizon.rounds: 5
      noise.key.file: 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff
      kafka.processing.guarantee: at_least_once
      kafka.security.protocol: TLS
      kafka.ssl.key.password: [hunter2]
      security.protocol: SSL
      threads: [1, 2]
      run.label:
      threads: 3
      """;

  @Test
  void tellsAllFaultsOfOneFileTogether() {
    ConfigException failure = failure(ConfigSource.of("bad.yaml", BROKEN)
        .withEnvironment(Map.of("SOTTO_PRIVACY_EPSILN", "hunter3"))
        .withFlags(List.of("nonsense")));
    assertThat(failure.errors().stream().map(ConfigError::key))
        .containsExactlyInAnyOrder(
            "--set",
            "features.categorical.c",
            "run.label",
            "threads",
            "threads",
            "app.id",
            "events.formt",
            "features.numeric.b.mni",
            "features.numeric.b.max",
            "features.numeric.b.min",
            "features.hash.bits",
            "loss",
            "batch.size",
            "clip.norm",
            "privacy.epsilon",
            "privacy.delta",
            "privacy.unit",
            "noise.key.file",
            "security.protocol",
            "bootstrap.servers",
            "events.avro.framing",
            "ftrl.p",
            "model.id",
            "SOTTO_PRIVACY_EPSILN",
            "kafka.processing.guarantee",
            "kafka.security.protocol",
            "model.id.source",
            "label.threshold",
            "features.numeric.a.min",
            "features.cross.d.fields",
            "privacy.noise.multiplier");
    assertThat(failure.getMessage().lines().findFirst().orElseThrow())
        .contains("bad.yaml has 31 errors", "nothing was started", "sotto run --check");
    assertThat(failure.getMessage()).doesNotContain("hunter").doesNotContain("0011223344");
  }

  @Test
  void tellsKeyRuleValueAndPlace() {
    assertThat(messages("batch.size: 0"))
        .containsExactly(
            "batch.size must be a whole number of at least 1, or auto, but was 0 (test.yaml line 12)");
    assertThat(messages("clip.norm: many"))
        .containsExactly("clip.norm must be a number, but was many (test.yaml line 12)");
    assertThat(messages("clip.norm: NaN"))
        .containsExactly("clip.norm must be positive and finite, but was NaN (test.yaml line 12)");
  }

  @Test
  void tellsAFileThatIsNoYamlAndNothingElse() {
    assertThat(failure(Texts.source("a: b: c")).errors()).hasSize(1);
    assertThat(failure(Texts.source("- a\n- b")).errors()).hasSize(1);
    assertThat(failure(ConfigSource.of("x.yaml", BROKEN + "\n}")).errors()).hasSize(1);
  }

  @Test
  void blamesNoOtherSettingForAWrongUnit() {
    ConfigException failure = failure(Texts.source(
        Texts.VALID.replace("horizon.rounds: 1000", "contribution.rounds: 8\n  unit: person")));
    assertThat(failure.errors().stream().map(ConfigError::key)).containsExactly("privacy.unit");
  }

  @Test
  void tellsWhatIsRequired() {
    assertThat(failure(ConfigSource.of("empty.yaml", "{}")).errors().stream().map(ConfigError::key))
        .contains(
            "app.id",
            "bootstrap.servers",
            "events.topic",
            "label.field",
            "loss",
            "privacy.epsilon",
            "privacy.delta",
            "noise.key.file");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "loss.threshold=2|loss.threshold|it needs loss huber, but loss is logistic",
        "ftrl.min=0|ftrl.min|it needs ftrl.potential box, but ftrl.potential is l2",
        "ftrl.potential=box|ftrl.min|must be given",
        "ftrl.potential=simplex|ftrl.radius|must be positive and finite, but was Infinity",
        "ftrl.potential=lp,ftrl.p=1|ftrl.p|must be above 1 and at most 2, but was 1",
        "ftrl.steps=fixed|ftrl.steps.horizon|must be given",
        "ftrl.steps.horizon=7|ftrl.steps.horizon|it needs ftrl.steps fixed",
        "ftrl.radius=0|ftrl.radius|must be positive, or inf",
        "ftrl.steps=decreasing,ftrl.steps.multiplier=1e308,ftrl.diameter=1e308|ftrl.steps.multiplier|scale must be positive and finite",
        "loss=logit|loss|must be one of logistic, squared, hinge, smoothed-hinge, absolute, quantile, huber, poisson,"
            + " softmax, network, or the name of a loss of your own, but was logit; of your own there is none on the class"
            + " path (SOTTO_CLASSPATH, docs/extending.md)",
        "loss=squared,features.ranges=none|clip.norm|must be given with loss squared, of which it is not known",
        "loss=squared,clip.norm=1|ftrl.steps|must be decreasing or fixed with loss squared, of which it is not known",
        "loss=squared,clip.norm=1,algorithm=accelerated-dp-srgd|srgd.beta|must be given with loss squared",
        "weight.field=w|weight.max|must be given with weight.field: the largest weight",
        "ftrl.diameter=2|ftrl.diameter|it needs ftrl.steps decreasing or fixed, but ftrl.steps is auto",
        "ftrl.steps=decreasing,ftrl.shrinkage=false|ftrl.shrinkage|it needs ftrl.steps auto",
        "batch.size=some|batch.size|must be a whole number of at least 1, or auto, but was some",
        "loss=quantile,loss.quantile=1|loss.quantile|must be above 0 and below 1, but was 1",
        "loss.smoothing=1|loss.smoothing|it needs loss smoothed-hinge",
        "loss=softmax|loss.classes|must be given, or label.names",
        "loss=softmax,loss.classes=1|loss.classes|must be 2 to 1048576, but was 1",
        "loss.classes=3|loss.classes|it needs loss network or softmax",
        "loss=softmax,loss.classes=3,label.names=a,9|loss.classes|be the number of label.names, which are 2; remove it, but was 3",
        "loss=softmax,label.names=a|label.names|must name at least two classes",
        "loss=softmax,label.names=9,9|label.names|must name each class once",
        "label.names=a,9|label.names|must be absent with loss logistic",
        "loss=softmax,label.names=[a|label.names|must be a list as it stands in a file",
        "loss=softmax,loss.classes=2,label.min=0,label.max=1|label.min|needs numbers of classes",
        "loss=smoothed-hinge,label.min=0,label.max=1|label.min|needs labels of 0 and 1",
        "loss=network|network.hidden|must be given",
        "loss=network,network.hidden=0|network.hidden|must be 1 to 1048576, but was 0",
        "loss=network,network.hidden=2,network.activation=relu|network.activation|must be one of tanh, sigmoid, softplus, swish, gelu, but was relu",
        "loss=network,network.hidden=2,loss.classes=3|loss.classes|network.output is logistic",
        "loss=network,network.hidden=2,network.output=softmax|loss.classes|must be given",
        "network.seed=3|network.seed|it needs loss network",
        "loss=network,network.hidden=2,ftrl.potential=lp,ftrl.radius=1|ftrl.potential|be l2 with loss network",
        "loss=network,network.hidden=1048576,network.output=softmax,loss.classes=1048576|network.hidden|must be below 2^31",
        "loss=network,network.hidden=1048576,network.output=softmax,loss.classes=16|features|dimension must be at most 2^24",
        "srgd.beta=1|srgd.beta|it needs algorithm accelerated-dp-srgd, but algorithm is private-ftrl",
        "algorithm=accelerated-dp-srgd,srgd.beta=0|srgd.beta|must be positive and finite, but was 0",
        "algorithm=accelerated-dp-srgd,srgd.beta=1,srgd.beta.multiplier=1|srgd.beta.multiplier|both are; remove one",
        "algorithm=accelerated-dp-srgd,loss=hinge,srgd.beta.multiplier=1|srgd.beta.multiplier|cannot work with loss hinge",
        "algorithm=accelerated-dp-srgd,srgd.beta=1,ftrl.radius=3|ftrl.radius|it needs algorithm private-ftrl",
        "algorithm=accelerated-dp-srgd,srgd.beta=1,ftrl.steps=fixed|ftrl.steps|it needs algorithm private-ftrl",
        "algorithm=accelerated-dp-srgd,srgd.beta=1,srgd.set=l2|srgd.radius|must be given",
        "algorithm=accelerated-dp-srgd,srgd.beta=1,srgd.radius=1|srgd.radius|it needs srgd.set l2",
        "algorithm=accelerated-dp-srgd,srgd.beta=1,srgd.set=box,srgd.min=1,srgd.max=0|srgd.min|low must be below high",
        "algorithm=accelerated-dp-srgd,srgd.beta=1,srgd.gradients=both|srgd.gradients|must be one of recursive, independent",
        "rounds.lag=1|rounds.lag|it needs layout rounds",
        "model.id.header=h|model.id.header|it needs model.id.source header",
        "layout=direct,model.id.source=header|model.id.header|must be given",
        "layout=ordered,model.id.source=partition|model.id.source|must be constant with layout ordered",
        "model.id=a//b|model.id|two slashes in a row, but was a//b",
        "model.id=a/|model.id|slashes at either end",
        "layout=shared|layout|must be one of auto, direct, ordered, rounds, but was shared",
        "layout=rounds,model.id.source=partition|model.id.source|must be constant with layout rounds",
        "layout=rounds,privacy.unit=key|privacy.unit|must be record with layout rounds, whose workers know no unit's history, but was key",
        "layout=rounds,privacy.unit=key,privacy.contribution=schedule|privacy.unit|must be record with layout rounds",
        "layout=rounds,unit.from=key,privacy.contribution=first-of-id|privacy.contribution|must be once with layout rounds",
        "release.every.slots=0|release.every.slots|must be 1 to",
        "layout=rounds,release.interval.ms=5|release.interval.ms|must not be set with layout rounds",
        "layout=rounds,batch.size=0|batch.size|must be a whole number of at least 1, or auto, but was 0",
        "layout=rounds,rounds.lag=2|rounds.lag|must be 0 to 1, but was 2",
        "layout=rounds,kafka.max.task.idle.ms=0|kafka.max.task.idle.ms|cannot be set with layout rounds",
        "label.min=0|label.max|must be given together",
        "label.min=0,label.max=1,loss=hinge|label.min|needs labels of 0 and 1",
        "label.min=2,label.max=1|label.min|must be below label.max",
        "unit.from=field|unit.field|must be given",
        "events.format=example|features.numeric.x.min|it needs events.format avro or json",
        "events.format=example|label.field|it needs events.format avro or json",
        "events.format=example|features.dimension|must be given",
        "events.format=avro|events.avro.schemas|must be given",
        "events.format=avro,events.avro.schemas=none.avsc|events.avro.schemas|name readable files, but was none.avsc",
        "features.dimension=3|features.dimension|it needs events.format example",
        "features.categorical.x.field=x|features.categorical.x|must have a name of its own",
        "features.numeric.x.max=-2|features.numeric.x.min|must be below features.numeric.x.max",
        "batch.size=9000000000000000|batch.size|batch * clip must be below 2^53 lattice units",
        "privacy.mechanism=binary-tree,privacy.horizon.rounds=endless|privacy.horizon.rounds|no finite noise fits",
        "privacy.unit=key|privacy.horizon.rounds|must be absent where units have a budget each",
        "privacy.contribution.rounds=3|privacy.contribution.rounds|must be absent unless units have a budget each",
        "privacy.contribution=schedule,privacy.contribution.most=3|privacy.contribution|be once or first-of-id with privacy.unit record",
        "privacy.contribution=first-of-id|unit.from|must be field or key",
        "privacy.unit=key,privacy.contribution=schedule|privacy.contribution.most|must be given",
        "privacy.unit=key,privacy.contribution=once|privacy.contribution|be budget or schedule with privacy.unit key",
        "privacy.unit=key,privacy.contribution=schedule,privacy.contribution.most=3|unit.from|must be field or key",
        "privacy.unit=key,privacy.mechanism=binary-tree|privacy.contribution|must be schedule with privacy.unit key",
        "algorithm=resque,resque.rate=0.1,privacy.unit=key|unit.from|(privacy.contribution schedule)",
        "algorithm=resque,resque.rate=0.1,metrics.share=0.1|metrics.share|must be absent with algorithm resque",
        "algorithm=resque,resque.rate=0.1,privacy.generations=doubling,privacy.generations.rounds=2|privacy.generations|must be absent with algorithm resque",
        "privacy.contribution.most=3|privacy.contribution.most|it needs privacy.contribution schedule",
        "privacy.mechanism=independent,privacy.blt.set=anytime-2^20|privacy.blt.set|it needs privacy.mechanism blt",
        "privacy.generations=doubling|privacy.generations.rounds|must be given",
        "metrics.share=1|metrics.share|at least 0 and at most 0.9",
        "metrics.share=0.1,metrics.unsafe.exact=true|metrics.unsafe.exact|must be false where metrics.share is above 0",
        "privacy.mechanism=laplace,metrics.share=0.1|metrics.share|must be absent with privacy.mechanism laplace",
        "privacy.mechanism=laplace,metrics.unsafe.exact=true|metrics.unsafe.exact|must be absent with privacy.mechanism laplace",
        "algorithm=resque,resque.rate=0.5,layout=rounds|resque.rate|must be 1 in layout rounds",
        "privacy.horizon.rounds=0|privacy.horizon.rounds|a whole number of at least 1",
        "privacy.horizon.rounds=1.5|privacy.horizon.rounds|a whole number of at least 1",
        "privacy.noise.multiplier=1|privacy.noise.multiplier|must be absent where privacy.horizon.rounds is given",
        "privacy.mu=1|privacy.mu|must be absent where privacy.epsilon is given",
        "privacy.spent.mu=-1|privacy.spent.mu|must be at least 0 and finite",
        "privacy.spent.mu=1|privacy.spent.mu|is spent already",
        "privacy.spent.mu=0.4483347403951|privacy.epsilon|must be larger: earlier runs have spent mu 0.4483347403951",
        "privacy.delta=1|privacy.delta|must be above 0 and below 1",
        "privacy.epsilon=inf|privacy.epsilon|must be positive and finite, but was inf",
        "privacy.mechanism=none|privacy.mechanism|must be one of independent, laplace, binary-tree, blt",
        "noise.key.file=k|noise.key.env|must be absent where noise.key.file is given",
        "noise.key.env=NOT_SET|noise.key.env|NOT_SET is not set",
        "noise.key.env=9x|noise.key.env|must be the name of an environment variable",
        "events.topic=test.ledger|events.topic|none of the learner's own topics",
        "events.topic=test.metrics|events.topic|none of the learner's own topics",
        "events.topic=test.control|events.topic|none of the learner's own topics",
        "events.topic=test.sums|events.topic|none of the learner's own topics",
        "bootstrap.servers=localhost|bootstrap.servers|must be a list of host:port, but was localhost",
        "transaction.timeout.ms=1000,kafka.commit.interval.ms=1000|transaction.timeout.ms|exceed the commit interval of",
        "transaction.timeout.ms=900001|transaction.timeout.ms|must be 1000 to 900000",
        "kafka.commit.interval.ms=soon|kafka.commit.interval.ms|must be a whole number, but was soon",
        "kafka.sasl.jaas.config.file=|--set|must be key=value, but was kafka.sasl.jaas.config.file=",
        "topics.replication.factor=0|topics.replication.factor|must be -1, or at least 1",
        "app.id=..|app.id|must be 1 to 180 of",
        "algorithm=clipped-sgd,privacy.mechanism=blt,metrics.share=0.1|privacy.mechanism|must be absent with algorithm clipped-sgd",
        "algorithm=clipped-sgd,privacy.mechanism=blt,metrics.share=0.1|metrics.share|no metrics are released",
        "algorithm=tree-momentum-nsgd,privacy.generations=constant,privacy.generations.rounds=9|privacy.generations|must be absent with algorithm tree-momentum-nsgd",
        "algorithm=clipped-sgd,batch.size=8|batch.size|block.slots says how large",
        "algorithm=clipped-sgd,block.slots=1|block.slots|a whole number from 2 to 2^30",
        "algorithm=clipped-sgd,heavy.oracle=median-of-means,heavy.groups=4|heavy.groups|groups must be odd",
        "algorithm=clipped-ac-sa,heavy.clip=quantile,layout=rounds|layout|a clip that follows its gradients",
        "algorithm=clipped-sgd,heavy.clip=median|heavy.clip|one of auto, rule, quantile",
        "algorithm=resque,resque.form=one-pass,layout=rounds|resque.form|must be pool in layout rounds",
        "algorithm=resque,resque.form=one-pass,loss=network,network.hidden=2|resque.form|rests on convexity",
        "algorithm=resque,resque.form=one-pass,loss=poisson,clip.norm=1|resque.form|must be pool with loss poisson",
        "algorithm=resque,resque.form=one-pass,resque.points=4|resque.points|means nothing in one pass",
        "algorithm=resque,resque.form=one-pass,metrics.share=0.1|metrics.share|no metrics are released",
        "algorithm=resque,resque.form=ordered-calls,layout=rounds|resque.form|must be pool in layout rounds",
        "algorithm=resque,resque.form=ordered-calls,loss=poisson,clip.norm=1|resque.form|must be pool with loss poisson",
        "algorithm=resque,resque.form=ordered-calls,resque.radius=0.5|resque.form|rho / r is 2.000, but must be at least 10.00",
        "algorithm=resque,resque.form=ordered-calls,block.slots=64|resque.form|n is 64, but must be at least 214",
        "algorithm=resque,resque.form=ordered-calls,resque.points=4|resque.points|means nothing in ordered-calls",
        "algorithm=resque,resque.form=ordered-calls,privacy.unit=key,unit.from=key,privacy.contribution=budget|privacy.contribution|be schedule with privacy.unit key",
        "block.slots=4096|block.slots|it needs algorithm clipped-ac-sa",
        "kafka.a b=1,events.max.bytes=0|events.max.bytes|must be at least 1",
      })
  void refusesSettingsThatDoNotFitTogether(String flags, String key, String rule) {
    ConfigException failure =
        failure(Texts.source(Texts.VALID).withFlags(List.of(flags.split(",(?=[a-z]+\\.?)"))));
    assertThat(failure.errors()).anySatisfy(fault -> {
      assertThat(fault.key()).isEqualTo(key);
      assertThat(fault.message()).startsWith(key + " ").contains(rule);
    });
  }

  @Test
  void refusesAFirstRoundBeyondTheBudget() {
    String yaml = Texts.VALID.replace("horizon.rounds: 1000", "noise.multiplier: 0.1");
    assertThat(failure(Texts.source(yaml)).errors()).singleElement().satisfies(fault -> {
      assertThat(fault.key()).isEqualTo("privacy.epsilon");
      assertThat(fault.message()).contains("the first round alone would exceed the budget");
    });
  }

  @ParameterizedTest
  @CsvSource({
    "kafka.processing.guarantee, exactly_once_v2",
    "kafka.consumer.isolation.level, committed",
    "kafka.main.consumer.auto.offset.reset, never skip",
    "kafka.enable.auto.commit, position",
    "kafka.value.deserializer, decoded inside",
    "kafka.producer.interceptor.classes, on their way",
    "kafka.processing.exception.handler, stop the learner",
    "kafka.application.id, set app.id instead",
    "kafka.topology.optimization, drawing",
    "kafka.producer.transactional.id, follow from app.id",
    "kafka.producer.transaction.timeout.ms, without kafka.",
  })
  void refusesToOverrideWhatTheGuaranteeNeeds(String key, String reason) {
    assertThat(messages(key + ": x"))
        .singleElement()
        .satisfies(
            message -> assertThat(message).startsWith(key + " cannot be set: ").contains(reason));
  }

  @ParameterizedTest
  @CsvSource({
    "kafka.producer.max.request.size, 1048575, 1048576",
    "kafka.max.request.size, 1000, 1048576",
    "kafka.producer.buffer.memory, 33554431, 33554432",
  })
  void refusesProducersThatCouldNotSetARecordAside(String key, String value, String least) {
    assertThat(messages(key + ": " + value))
        .singleElement()
        .satisfies(message -> assertThat(message)
            .startsWith(key + " must be at least " + least + ", since ")
            .contains("dead letters", "but was " + value));
    assertThat(KafkaSettings.tooSmall(key.substring("kafka.".length()), Long.valueOf(least)))
        .isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "privacy.epsilom, privacy.epsilon",
    "privacy.noise.multiplyer, privacy.noise.multiplier",
    "batch_size, batch.size",
    "Threads, threads",
    "features.numeric.x.mni, features.numeric.x.min",
    "feature.categorical.a.b.field, features.categorical.a.b.field",
    "features.crosses.c.fields, features.cross.c.fields",
    "security.protocol, kafka.security.protocol",
    "consumer.max.poll.records, kafka.consumer.max.poll.records",
  })
  void suggestsTheKeyThatWasMeant(String key, String meant) {
    assertThat(messages(key + ": 1"))
        .contains(key + " is not a setting; did you mean " + meant + "? (test.yaml line 12)");
  }

  @Test
  void suggestsNothingWhereNothingIsNear() {
    assertThat(messages("elephants.in.the.room: 1"))
        .containsExactly("elephants.in.the.room is not a setting (test.yaml line 12)");
  }

  @Test
  void refusesUnknownVariablesWithoutTheirValues() {
    Map<String, String> environment = new HashMap<>(Texts.KEY);
    environment.put("SOTTO_PRIVACY_EPSILN", "hunter2");
    environment.put("SOTTO_HOME", "x");
    environment.put("SOTTO_EMPTY", "");
    environment.put("OTHER", "y");
    ConfigException failure = failure(Texts.source(Texts.VALID).withEnvironment(environment));
    assertThat(failure.errors())
        .containsExactly(new ConfigError(
            "SOTTO_PRIVACY_EPSILN",
            "must be the variable of a setting, but there is no such setting; did you mean"
                + " SOTTO_PRIVACY_EPSILON? (environment)"));
  }

  private static List<String> messages(String more) {
    return failure(Texts.source(Texts.VALID + more)).errors().stream()
        .map(ConfigError::message)
        .toList();
  }

  private static ConfigException failure(ConfigSource source) {
    ConfigException failure =
        catchThrowableOfType(ConfigException.class, () -> SottoConfig.load(source));
    assertThat(failure).as("a configuration with faults").isNotNull();
    return failure;
  }
}
