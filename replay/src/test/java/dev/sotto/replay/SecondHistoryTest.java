package dev.sotto.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.testing.Seed;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two histories of nearly the same records, as after an erasure: all published versions of both are
 * compared. Equal ones would confirm contents, and the first unequal ones would be exact data about
 * the record that is missing.
 */
class SecondHistoryTest {
  private static final int BATCH = 10;
  private static final int ROUNDS = 12;
  private static final int NULLED = 7 * BATCH + 3; // in round 8
  private static final byte[] NOTHING = {};

  /** The same records, but for one that is a null slot in one of the two. */
  private static InMemoryRecording records(boolean nulled) {
    Random random = Seed.random(1);
    InMemoryRecording.Builder made = InMemoryRecording.of(Streams.EVENTS).topicId("topic-id");
    made.partition(0, 0);
    for (int offset = 0; offset < ROUNDS * BATCH; offset++) {
      double[] values = random.doubles(Streams.DIMENSION, -1, 1).toArray();
      byte[] value = ExampleCodec.encodeDense(null, null, values, random.nextInt(2), 1);
      made.add(
          0,
          offset,
          offset,
          NOTHING,
          nulled && offset == NULLED ? NOTHING : value,
          new RecordHeaders());
    }
    return made.build();
  }

  private static List<byte[]> versions(String app, Layout layout, boolean nulled) {
    LearnerSettings usual = Streams.settings(layout, Streams.plan(Streams.FTRL, BATCH));
    LearnerSettings settings =
        new LearnerSettings(app, layout, usual.events(), usual.run(), usual.cadence());
    List<byte[]> versions = new ArrayList<>();
    new Replay(settings, records(nulled)).run(new OutputListener() {
      @Override
      public void ledger(int partition, String modelId, byte[] bytes) {
        LedgerEntry entry = Codecs.LEDGER.decode(bytes);
        versions.add(entry.snapshotDigest());
      }
    });
    assertThat(versions).hasSize(ROUNDS);
    return versions;
  }

  private static List<Integer> equalRounds(List<byte[]> one, List<byte[]> other) {
    List<Integer> equal = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      if (Arrays.equals(one.get(i), other.get(i))) {
        equal.add(i + 1);
      }
    }
    return equal;
  }

  @ParameterizedTest
  @EnumSource
  void hasNoVersionInCommonWithTheHistoryOfAnotherApplication(Layout layout) {
    assertThat(equalRounds(versions("first", layout, false), versions("second", layout, true)))
        .isEmpty();
    assertThat(equalRounds(versions("first", layout, false), versions("second", layout, false)))
        .isEmpty();
  }

  /**
   * The twin: as long as app.id was no part of the run id, any two applications were like one
   * started twice.
   */
  @ParameterizedTest
  @EnumSource
  void showsWhereHistoriesOfOneRunPart(Layout layout) {
    assertThat(equalRounds(versions("first", layout, false), versions("first", layout, true)))
        .containsExactly(1, 2, 3, 4, 5, 6, 7);
  }
}
