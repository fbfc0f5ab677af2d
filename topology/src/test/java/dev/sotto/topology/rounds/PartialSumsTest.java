package dev.sotto.topology.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.PartialSumLearner;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.RoundSlices;
import dev.sotto.serdes.record.RoundCodecs;
import dev.sotto.serdes.record.RoundPart;
import dev.sotto.topology.Trial;
import dev.sotto.topology.failure.UnsafeToContinueException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartialSumsTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  private static final Plan PLAN = Trial.plan(4, 4);
  private static final RoundSlices SLICING =
      new RoundSlices(List.of(new OffsetRange(0, 0, 2), new OffsetRange(1, 0, 2)));

  private final ModelLearner learner = ModelLearner.start(PLAN, KEY, "model", "1");
  private final PartialSums parts =
      new PartialSums(PLAN, new RoundsSettings("model", SLICING, (query, keyId) -> {}));

  /** One part in two pieces. */
  private RoundPart[] part(int partition, long attempt) {
    PartialSumLearner worker = new PartialSumLearner(PLAN, KEY, learner.runId());
    worker.open(learner.queryOf(1), KEY.id());
    Slot slot = new Slot(4);
    slot.example().add(0, 0.25 + partition);
    slot.status(RecordStatus.USED);
    worker.fill(slot);
    worker.fillAbsent(1);
    byte[] sealed = worker.seal(PartialSums.place(1, SLICING.slice(partition, 1)));
    return new RoundPart[] {
      new RoundPart(1, partition, 0, 2, attempt, 0, 2, Arrays.copyOf(sealed, 40)),
      new RoundPart(
          1, partition, 0, 2, attempt, 1, 2, Arrays.copyOfRange(sealed, 40, sealed.length))
    };
  }

  private void take(RoundPart piece) {
    parts.take(0, RoundCodecs.PART.encode(piece), 0);
  }

  /** Compaction goes by keys, and may end between two pieces of the second attempt. */
  @Test
  void keepsTheAttemptsOfOnePartApart() {
    RoundPart[] first = part(0, 1);
    RoundPart[] again = part(0, 2);
    take(first[1]);
    take(again[0]);
    assertThat(parts.fills(learner)).isFalse();
    assertThat(parts.missing(1)).containsExactlyInAnyOrder(0, 1);
    take(again[1]);
    assertThat(parts.fills(learner)).isFalse();
    assertThat(parts.missing(1)).containsExactly(1);
    Arrays.stream(first).forEach(this::take); // a part that is there counts once
    assertThat(parts.fills(learner)).isFalse();
    assertThat(learner.openSlots()).isEqualTo(2);
    Arrays.stream(part(1, 3)).forEach(this::take);
    assertThat(parts.fills(learner)).isTrue();
    assertThat(learner.openSlots()).isEqualTo(4);
  }

  @Test
  void refusesPartsThatNoWorkerOfThisApplicationSums() {
    assertThatThrownBy(() -> take(new RoundPart(1, 0, 0, 3, 1, 0, 1, new byte[9])))
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContaining("no worker of this application");
    assertThatThrownBy(() -> take(new RoundPart(1, 2, 0, 2, 1, 0, 1, new byte[9])))
        .isInstanceOf(UnsafeToContinueException.class);
    assertThatThrownBy(() -> take(new RoundPart(2, 0, 2, 4, 1, 0, 1, new byte[9])))
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContaining("parts of rounds 1 to 1 are no longer in the topic");
  }
}
