package dev.sotto.benchmarks.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sotto.config.settings.GuaranteeLevel;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.Recording;
import dev.sotto.serdes.event.EventDecoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("long")
class KeyedSetTest {
  private static final long RECORDS = 24_915;

  @ParameterizedTest
  @EnumSource(names = "INCIDENTS")
  void promisesWhatTheTableSays(KeyedSet set) {
    requirePromises(set, BoundedKeys.EPSILONS[0]);
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource
  void promisesWhatTheTableSaysUnderEveryRecipe(KeyedSet set) {
    requirePromises(set, BoundedKeys.EPSILONS);
  }

  private static void requirePromises(KeyedSet set, double... epsilons) {
    for (double epsilon : epsilons) {
      for (KeyedRecipe recipe : BoundedKeys.grid(set, GuaranteeLevel.CONFIGURED, epsilon)) {
        Plan plan = recipe.settings(set, RECORDS).plan();
        assertThat(plan.unit()).isEqualTo(PrivacyUnit.KEY);
        assertThat(((Participation.Scheduled) plan.participation()).bound().most())
            .isEqualTo(8);
        long rounds = RECORDS / recipe.batch();
        assertThat(plan.guarantee(rounds).epsilon()).isBetween(0.99 * epsilon, epsilon);
        assertThat(plan.budget().delta()).isEqualTo(1e-6);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void promisesNothingInReferences(KeyedSet set) {
    for (GuaranteeLevel protection :
        new GuaranteeLevel[] {GuaranteeLevel.BOUNDING, GuaranteeLevel.NONE}) {
      for (KeyedRecipe recipe : BoundedKeys.grid(set, protection, Double.POSITIVE_INFINITY)) {
        Plan plan = recipe.settings(set, RECORDS).plan();
        assertThat(plan.guarantee(1).epsilon()).isInfinite();
        assertThat(plan.participation() instanceof Participation.Scheduled)
            .isEqualTo(protection == GuaranteeLevel.BOUNDING);
      }
    }
  }

  /**
   * Every record is used, and labels, keys and tabulated figures are those that come with the data.
   */
  @Test
  void readsIncidentsAsTheyAreDescribed() throws IOException {
    Path folder = ExperimentFolders.data().orElse(null);
    assumeTrue(folder != null, "skipped: the recorded data (shared/data) are not on this machine");
    KeyedRecipe recipe =
        BoundedKeys.grid(KeyedSet.INCIDENTS, GuaranteeLevel.CONFIGURED, 1).get(0);
    EventDecoder decoder =
        recipe.settings(KeyedSet.INCIDENTS, RECORDS).decoder().get();
    Slot slot = new Slot(decoder.dimension());
    Set<String> keys = new HashSet<>();
    long used = 0;
    double labels = 0;
    try (Recording recording = KeyedSet.INCIDENTS.read(folder);
        RecordCursor cursor = recording.open(0)) {
      while (cursor.next()) {
        decoder.decode(cursor.key(), cursor.value(), slot);
        used += slot.status() == RecordStatus.USED ? 1 : 0;
        labels += slot.example().label();
        keys.add(new String(cursor.key(), StandardCharsets.UTF_8));
      }
    }
    assertThat(used).isEqualTo(RECORDS);
    assertThat(labels).isEqualTo(9114);
    assertThat(keys).hasSize(5244);
    assertThat(KeyedSet.INCIDENTS.reference(folder))
        .isEqualTo(new KeyedSet.Reference(0.6569, 0.4215, 0.4276, 19_407));
    assertThat(KeyedSet.HFLIGHTS_A.reference(folder).capped()).isEqualTo(0.4816);
    assertThat(KeyedSet.HFLIGHTS_B.reference(folder).capped()).isEqualTo(0.2475);
  }
}
