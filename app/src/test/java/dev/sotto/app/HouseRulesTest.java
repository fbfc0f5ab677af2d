package dev.sotto.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import dev.sotto.learner.extension.Extensions;
import dev.sotto.learner.loss.GuardedLoss;
import dev.sotto.learner.optim.Course;
import dev.sotto.learner.optim.Optimizer;
import dev.sotto.serdes.event.GuardedDecoder;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Who may import whom, over all rooms; design.md section 1 and style.md draw the map. */
class HouseRulesTest {
  private static final JavaClasses OURS = new ClassFileImporter()
      .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
      .importPackages("dev.sotto");

  private static void onlyNeeds(String room, String... others) {
    classes()
        .that()
        .resideInAPackage(room)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(others)
        .check(OURS);
  }

  @Test
  void seesEveryRoom() {
    Set<String> rooms = OURS.stream()
        .map(each -> each.getPackageName().split("\\.")[2])
        .collect(Collectors.toCollection(TreeSet::new));
    assertThat(rooms).contains("app", "learner", "serdes", "topology");
  }

  @Test
  void keepsTheMathematicsFreeOfEverythingElse() {
    onlyNeeds(
        "dev.sotto.learner..", "dev.sotto.learner..", "java..", "javax.crypto..", "org.ejml..");
  }

  @Test
  void keepsRecordsFreeOfBrokers() {
    onlyNeeds(
        "dev.sotto.serdes..",
        "dev.sotto.serdes..",
        "dev.sotto.learner..",
        "java..",
        "org.apache.avro..",
        "com.fasterxml.jackson..",
        "org.apache.commons.codec..");
  }

  @Test
  void keepsTheTopologyFreeOfTheApp() {
    onlyNeeds(
        "dev.sotto.topology..",
        "dev.sotto.topology..",
        "dev.sotto.serdes..",
        "dev.sotto.learner..",
        "java..",
        "org.apache.kafka..",
        "org.rocksdb..",
        "com.google.crypto.tink..",
        "org.slf4j..");
  }

  @Test
  void keepsCiphersInOneRoom() {
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
        .doNotHaveFullyQualifiedName("dev.sotto.topology.StoreTable")
        .should()
        .callMethodWhere(calls(
            "org.apache.kafka.streams.processor.api.(Processor|FixedKeyProcessor|Processing)Context",
            "getStateStore"))
        .check(OURS);
  }

  @Test
  void keepsTheTrainersCoreFreeOfKafka() {
    onlyNeeds(
        "dev.sotto.topology.core..",
        "dev.sotto.topology.core..",
        "dev.sotto.serdes..",
        "dev.sotto.learner..",
        "java..");
  }

  @Test
  void keepsTheEmbeddedBrokerByItself() {
    noClasses()
        .that()
        .resideInAPackage("dev.sotto.app.broker..")
        .should()
        .dependOnClassesThat(DescribedPredicate.describe(
            "are ours, but no part of it",
            each -> each.getPackageName().startsWith("dev.sotto.")
                && !each.getPackageName().startsWith("dev.sotto.app.broker")))
        .check(OURS);
    noClasses() // Kafka's server side is nobody else's business
        .that()
        .resideOutsideOfPackage("dev.sotto.app.broker..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("kafka..", "org.apache.kafka.server..", "org.apache.kafka.metadata..")
        .check(OURS);
  }

  @Test
  void givesSumsAndNoiseToTheReleaseRoomOnly() {
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.sotto.learner.release..", "dev.sotto.learner.round..")
        .should()
        .dependOnClassesThat()
        .haveNameMatching(
            "dev\\.sotto\\.learner\\.release\\."
                + "(ClippedSum|NoisySum|PrefixSum|NoiseWalk|KeyedNoise|Keystream|ContentDigest|Keys|Seal|SealedRound|SealedPages|SumPage)(\\$.*)?")
        .check(OURS.that(
            DescribedPredicate.describe("are no optimizers", each -> !isOptimizer(each))));
  }

  private static boolean isOptimizer(JavaClass each) {
    return each.getPackageName().equals("dev.sotto.learner.optim")
        || each.isAssignableTo(Optimizer.class)
        || each.isAssignableTo(Course.class); // as the audit's probe, which hears what they hear
  }

  @Test
  void readsForUsersFromCommittedTopicsOnly() {
    noClasses()
        .that()
        .resideInAPackage("dev.sotto.app..")
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

  @Test
  void keepsConnectorsFreeOfTheLearnersInsides() {
    noClasses()
        .that()
        .resideInAPackage("dev.sotto.connectors..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.sotto.topology..", "dev.sotto.app..")
        .allowEmptyShould(true) // they are a plug-in: not on the class path of every build
        .check(OURS);
  }

  @Test
  void hasNoCirclesBetweenRooms() {
    SlicesRuleDefinition.slices()
        .matching("dev.sotto.(*)..")
        .should()
        .beFreeOfCycles()
        .check(OURS);
  }

  private static DescribedPredicate<JavaCall<?>> calls(String owner, String names) {
    return DescribedPredicate.describe(
        "call " + owner + " " + names,
        call -> call.getTargetOwner().getName().matches(owner) && call.getName().matches(names));
  }
}
