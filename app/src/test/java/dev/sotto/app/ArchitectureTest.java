package dev.sotto.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import dev.sotto.learner.extension.Extensions;
import dev.sotto.learner.loss.GuardedLoss;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.OptimizerState;
import dev.sotto.serdes.event.GuardedDecoder;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Which module and package may use which; docs/development/contributing.md, "Modules and packages",
 * shows the map.
 */
class ArchitectureTest {
  private static final JavaClasses OURS = OurClasses.ALL;

  /**
   * Each module with the modules of ours that it may use, and the packages of others that it needs.
   */
  private static final Map<String, List<String>> MODULES = Map.ofEntries(
      Map.entry("broker", List.of("kafka..", "org.apache.kafka..", "scala..", "org.slf4j..")),
      Map.entry("learner", List.of("javax.crypto..", "org.ejml..")),
      Map.entry(
          "serdes",
          List.of(
              "learner",
              "org.apache.avro..",
              "com.fasterxml.jackson..",
              "com.squareup.wire..", // schemas of Protobuf
              "org.apache.commons.codec..")),
      Map.entry(
          "topology",
          List.of(
              "serdes",
              "learner",
              "org.apache.kafka..",
              "org.rocksdb..",
              "com.google.crypto.tink..",
              "org.apache.avro..", // schemas that a registry tells
              "javax.net.ssl..",
              "org.slf4j..")),
      Map.entry(
          "onnx",
          List.of("client", "serdes", "learner", "ai.onnx.proto..", "com.google.protobuf..")),
      Map.entry(
          "connectors",
          List.of(
              "onnx",
              "client",
              "serdes",
              "learner",
              "org.apache.kafka..",
              "org.apache.avro..",
              "com.fasterxml.jackson..",
              "org.slf4j..")),
      Map.entry(
          "client",
          List.of(
              "serdes",
              "learner",
              "org.apache.kafka.clients..",
              "org.apache.kafka.common..",
              "org.apache.avro..",
              "org.slf4j..")),
      Map.entry(
          "config",
          List.of(
              "topology",
              "serdes",
              "learner",
              "org.apache.kafka..",
              "com.fasterxml.jackson..",
              "org.apache.avro..",
              "org.yaml.snakeyaml..",
              "org.slf4j..")),
      Map.entry(
          "replay",
          List.of(
              "topology",
              "serdes",
              "learner",
              "org.apache.kafka..",
              "org.apache.avro..",
              "com.fasterxml.jackson..",
              "org.slf4j..")),
      Map.entry(
          "evaluation",
          List.of(
              "replay",
              "config",
              "topology",
              "serdes",
              "learner",
              "org.apache.kafka..",
              "org.apache.avro..",
              "com.sun.net.httpserver..",
              "com.fasterxml.jackson..",
              "org.ejml..",
              "org.apache.commons.statistics..",
              "org.slf4j..")),
      Map.entry(
          "testkit",
          List.of(
              "replay",
              "config",
              "topology",
              "serdes",
              "learner",
              "org.apache.kafka..",
              "org.junit..",
              "org.opentest4j..",
              "org.slf4j..")));

  private static void onlyNeeds(String packages, String... others) {
    classes()
        .that()
        .resideInAPackage(packages)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(others)
        .allowEmptyShould(true) // the test kit is not on this class path
        .check(OURS);
  }

  @Test
  void seesTheModules() {
    Set<String> modules = OURS.stream()
        .map(each -> each.getPackageName().split("\\.")[2])
        .collect(Collectors.toCollection(TreeSet::new));
    assertThat(modules)
        .contains(
            "app", "config", "connectors", "evaluation", "learner", "replay", "serdes", "topology");
  }

  @ParameterizedTest
  @MethodSource("modules")
  void dependsOnlyOnWhatTheMapAllows(String module) {
    String[] allowed = Stream.concat(
            Stream.of("java..", "dev.sotto." + module + ".."),
            MODULES.get(module).stream()
                .map(each -> each.endsWith("..") ? each : "dev.sotto." + each + ".."))
        .toArray(String[]::new);
    onlyNeeds("dev.sotto." + module + "..", allowed);
  }

  static Stream<String> modules() {
    return MODULES.keySet().stream().sorted();
  }

  /** Experiments, and what draws their plots, are in benchmarks, which nothing here may see. */
  @Test
  void shipsNoResearch() {
    assertThat(OURS.stream().map(JavaClass::getPackageName))
        .noneMatch(each -> each.contains("experiment"));
    assertThat(ClassLoader.getSystemResource("org/knowm/xchart/XYChart.class")).isNull();
    assertThat(ClassLoader.getSystemResource("dev/sotto/benchmarks/EndToEnd.class"))
        .isNull();
    assertThat(ClassLoader.getSystemResource("dev/sotto/app/Main.class")).isNotNull(); // a twin
  }

  @Test
  void keepsCiphersInOnePackage() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.sotto.topology.encryption..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("com.google.crypto.tink..")
        .check(OURS);
  }

  /** The one way to a store leads through its encryption. */
  @Test
  void keepsStoresBehindTheirEncryption() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("dev.sotto.topology.processor.StoreTable")
        .should()
        .callMethodWhere(calls(
            "org.apache.kafka.streams.processor.api.(Processor|FixedKeyProcessor|Processing)Context",
            "getStateStore"))
        .check(OURS);
  }

  /** What learns must run without Kafka: of the logs only the interfaces. */
  @Test
  void keepsTheLearningCoreFreeOfKafka() {
    classes()
        .that()
        .resideInAnyPackage(
            "dev.sotto.topology.trainer..",
            "dev.sotto.topology.rounds..",
            "dev.sotto.topology.store..")
        .should()
        .onlyDependOnClassesThat(DescribedPredicate.describe(
            "know no Kafka",
            each -> each.getPackageName().startsWith("java.")
                || each.getPackageName().startsWith("dev.sotto.") && !usesKafka(each)
                || each.isPrimitive()
                || each.isArray()))
        .check(OURS);
  }

  private static boolean usesKafka(JavaClass each) {
    return each.getDirectDependenciesFromSelf().stream()
        .anyMatch(used -> used.getTargetClass().getPackageName().startsWith("org.apache.kafka"));
  }

  /**
   * What learns looks at no clock but the one that it is handed: that of a replay stands still. What
   * has to do with a broker waits by the machine's, and times of events are bounded by it, on which
   * nothing depends that is published.
   */
  @Test
  void keepsClocksOutOfLearning() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "dev.sotto.topology.batch..",
            "dev.sotto.topology.label..",
            "dev.sotto.topology.layout..",
            "dev.sotto.topology.log..",
            "dev.sotto.topology.processor..",
            "dev.sotto.topology.rounds..",
            "dev.sotto.topology.store..",
            "dev.sotto.topology.trainer..",
            "dev.sotto.replay.cluster..")
        .and()
        .haveNameNotMatching(".*\\.log\\.(Kafka\\w+|EventReader|ReadTime)(\\$.*)?")
        .and()
        .doNotHaveFullyQualifiedName("dev.sotto.topology.processor.BoundedTimestamps")
        .should()
        .callMethodWhere(calls("java.lang.System", "nanoTime"))
        .orShould()
        .callMethodWhere(calls("java.lang.System", "currentTimeMillis"))
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.time.Clock")
        .check(OURS);
  }

  @Test
  void keepsTheEmbeddedBrokerByItself() {
    noClasses()
        .that()
        .resideInAPackage("dev.sotto.broker..")
        .should()
        .dependOnClassesThat(DescribedPredicate.describe(
            "are ours, but no part of it",
            each -> each.getPackageName().startsWith("dev.sotto.")
                && !each.getPackageName().startsWith("dev.sotto.broker")))
        .check(OURS);
    noClasses() // Kafka's server side is nobody else's business
        .that()
        .resideOutsideOfPackage("dev.sotto.broker..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("kafka..", "org.apache.kafka.server..", "org.apache.kafka.metadata..")
        .check(OURS);
  }

  @Test
  void keepsSumsAndNoiseBehindTheRelease() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "dev.sotto.learner.release..",
            "dev.sotto.learner.mechanism..",
            "dev.sotto.learner.key..",
            "dev.sotto.learner.training..")
        .should()
        .dependOnClassesThat()
        .haveNameMatching("dev\\.sotto\\.learner\\.(release|mechanism|key)\\."
            + "(GradientSum|ClippedSum|MedianOfSums|NoisySum|PrefixSum|NoiseState|KeyedNoise|Keystream|ContentDigest|KeyDerivation"
            + "|StateSeal|SealedRoundSum|SealedPages|SumPage)(\\$.*)?")
        .check(OURS.that(DescribedPredicate.describe(
            "are no optimizers", each -> !isOptimizer(each) && !isRedrawn(each))));
  }

  private static boolean isOptimizer(JavaClass each) {
    return each.getPackageName().equals("dev.sotto.learner.optimizer")
        || each.isAssignableTo(Optimizer.class)
        || each.isAssignableTo(
            OptimizerState.class); // as the audit's probe, which hears what they hear
  }

  /** The audit draws the noise of runs under keys of its own a second time, to take it away. */
  private static boolean isRedrawn(JavaClass each) {
    return each.getName().equals("dev.sotto.evaluation.audit.subject.RedrawnNoise");
  }

  /** Keys that noise, fingerprints and seals are made of; and the noise itself. */
  @Test
  void derivesKeysInTheClosedPackagesOnly() {
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.sotto.learner.key..", "dev.sotto.learner.release..")
        .should()
        .callMethodWhere(calls(
            "dev\\.sotto\\.learner\\.key\\.NoiseKey", "vectorKey|contentKey|chainKey|sealKey"))
        .check(OURS);
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "dev.sotto.learner.key..",
            "dev.sotto.learner.release..",
            "dev.sotto.learner.mechanism..")
        .should()
        .dependOnClassesThat()
        .haveNameMatching("dev\\.sotto\\.learner\\.key\\.(KeyedNoise|KeyDerivation)(\\$.*)?")
        .check(OURS.that(DescribedPredicate.describe("do not audit", each -> !isRedrawn(each))));
  }

  @Test
  void readsForUsersFromCommittedTopicsOnly() {
    noClasses()
        .that()
        .resideInAPackage("dev.sotto.app..")
        .and()
        .resideOutsideOfPackage("dev.sotto.app.scoring..") // streams that learn nothing
        .should()
        .dependOnClassesThat(DescribedPredicate.describe(
            "run a stream or keep its state",
            each -> each.getPackageName().startsWith("org.apache.kafka.streams.state")
                || each.getPackageName().startsWith("org.apache.kafka.streams.processor")
                    && !each.getSimpleName().equals("Record"))) // a key, a value, headers
        .check(OURS);
  }

  /** Users' code is looked up in one place, and made in two, which guard it. */
  @Test
  void keepsUsersCodeBehindItsGuards() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(Extensions.class.getName())
        .should()
        .dependOnClassesThat()
        .areAssignableTo(ServiceLoader.class)
        .check(OURS);
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(GuardedLoss.class.getName())
        .and()
        .doNotHaveFullyQualifiedName(GuardedDecoder.class.getName())
        .should()
        .callMethodWhere(calls(".*\\.(LossProvider|EventDecoderProvider)", "create"))
        .check(OURS);
  }

  /** Records that mirror what is stored or published, field by field. */
  private static final Set<String> MIRRORS = Set.of(
      "Guarantee",
      "LedgerEntry",
      "ModelSnapshot",
      "OpenRound",
      "PartitionHead",
      "ReleaserState",
      "RoundPart",
      "StateIndex",
      "Terms");

  @Test
  void keepsConstructorsToSixParameters() {
    assertThat(OURS.stream()
            .filter(each -> !each.isEnum() && !MIRRORS.contains(each.getSimpleName()))
            .flatMap(each -> each.getConstructors().stream())
            .filter(each -> each.getRawParameterTypes().size() > 6)
            .map(each -> each.getFullName()))
        .isEmpty();
  }

  @Test
  void neverReadsSerializedObjects() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveNameMatching("java\\.io\\.(ObjectInputStream|ObjectOutputStream|Externalizable)")
        .check(OURS);
  }

  @Test
  void endsTheProcessInOnePlace() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("dev.sotto.app.Main")
        .should()
        .callMethodWhere(calls("java.lang.System", "exit"))
        .orShould()
        .callMethodWhere(calls("java.lang.Runtime", "exit|halt"))
        .check(OURS);
  }

  @Test
  void printsThroughItsCallersOnly() {
    noClasses()
        .that()
        .resideInAnyPackage("dev.sotto.learner..", "dev.sotto.serdes..", "dev.sotto.topology..")
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .check(OURS);
  }

  @Test
  void drawsNoInsecureRandomness() {
    noClasses()
        .that()
        .resideInAnyPackage("dev.sotto.learner..", "dev.sotto.serdes..", "dev.sotto.topology..")
        .should()
        .dependOnClassesThat()
        .haveNameMatching("java\\.util\\.(Random|SplittableRandom|concurrent\\.ThreadLocalRandom)")
        .orShould()
        .callMethodWhere(calls("java.lang.Math", "random"))
        .check(OURS);
  }

  @ParameterizedTest
  @EnumSource
  void hasNoCycles(PackageCycles.Between which) {
    Map<String, Set<String>> uses = PackageCycles.uses(OURS, which);
    assertThat(uses).hasSizeGreaterThan(5);
    assertThat(PackageCycles.of(uses)).isEmpty();
    Map<String, Set<String>> broken = new TreeMap<>(uses);
    String used = uses.get(which.user).iterator().next();
    broken.merge(used, Set.of(which.user), PackageCycles::together);
    assertThat(PackageCycles.of(broken)).contains(which.user, used); // the twin
  }

  private static DescribedPredicate<JavaCall<?>> calls(String owner, String names) {
    Predicate<String> called = Pattern.compile(names).asMatchPredicate();
    Predicate<String> owners = Pattern.compile(owner).asMatchPredicate();
    return DescribedPredicate.describe(
        "call " + owner + " " + names,
        call -> called.test(call.getName()) && owners.test(call.getTargetOwner().getName()));
  }
}
