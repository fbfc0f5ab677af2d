package dev.sotto.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.sotto.topology.settings.LateLabels;
import dev.sotto.topology.settings.LearnerSettings;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Labels that come later are joined in front: whoever learns from the event topic does not know
 * who has written it (docs/decisions/0026-late-labels.md).
 */
class JoinSeamTest {
  private static final String TOPOLOGY = "dev.sotto.topology.";

  /** What stands behind the event topic: trainers, workers, and what they keep. */
  private static boolean isBehindEvents(JavaClass each) {
    return Stream.of("trainer", "rounds", "store", "layout")
            .anyMatch(each.getPackageName()::endsWith)
        || each.getName()
            .matches(".*\\.\\w*(Trainer|Worker|Coordinator)(Processor|Forwarder)\\b.*");
  }

  private static Stream<String> knows(JavaClass each) {
    Stream<String> classes = each.getDirectDependenciesFromSelf().stream()
        .map(Dependency::getTargetClass)
        .filter(target -> target.getPackageName().startsWith(TOPOLOGY + "label")
            || target.isEquivalentTo(LateLabels.class))
        .map(JavaClass::getSimpleName);
    Stream<String> asked = each.getMethodCallsFromSelf().stream()
        .filter(call -> call.getTargetOwner().isEquivalentTo(LearnerSettings.class))
        .map(call -> call.getName())
        .filter("labels"::equals);
    return Stream.concat(classes, asked).map(what -> each.getSimpleName() + " knows " + what);
  }

  @Test
  void leavesTheLearnerWithoutAWordOnTheJoin() {
    List<JavaClass> behind = OurClasses.ALL.stream()
        .filter(each -> each.getPackageName().startsWith(TOPOLOGY))
        .filter(JoinSeamTest::isBehindEvents)
        .toList();
    assertThat(behind)
        .extracting(JavaClass::getSimpleName)
        .contains(
            "SlotTrainer",
            "RoundWorker",
            "LearnerStore",
            "OrderedTopology",
            "OrderedTrainerProcessor",
            "TrainerForwarder");
    assertThat(behind.stream().flatMap(JoinSeamTest::knows)).isEmpty();
  }

  /** Nor does anybody else decide whether there is a join: the topology alone draws it. */
  @Test
  void drawsTheJoinInOnePlace() {
    assertThat(OurClasses.ALL.stream()
            .filter(each -> each.getConstructorCallsFromSelf().stream()
                .anyMatch(call -> call.getTargetOwner().getSimpleName().equals("LabelProcessor")))
            .map(JavaClass::getSimpleName))
        .containsExactly("LearnerTopology");
  }

  /** The twin: each of these would be found. */
  @Test
  void findsWhoeverKnowsIt() {
    for (Class<?> knowing : List.of(Asks.class, Holds.class)) {
      JavaClass imported = new ClassFileImporter()
          .importClasses(knowing, LearnerSettings.class, LateLabels.class)
          .get(knowing);
      assertThat(knows(imported)).as(knowing.getSimpleName()).isNotEmpty();
    }
  }

  static final class Asks {
    boolean waits(LearnerSettings settings) {
      return settings.labels() != null;
    }
  }

  static final class Holds {
    long wait(LateLabels labels) {
      return labels.patience().toMillis();
    }
  }
}
