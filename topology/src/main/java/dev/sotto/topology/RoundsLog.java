package dev.sotto.topology;

import dev.sotto.learner.privacy.OffsetRange;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.serdes.record.RoundCodecs;
import dev.sotto.serdes.record.RoundGenesis;
import dev.sotto.serdes.record.RoundPoint;
import dev.sotto.topology.encryption.TopicCipher;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.Record;

/** What the control topic of the rounds layout holds, for whoever keeps one elsewhere than on a cluster. */
public final class RoundsLog {
  private RoundsLog() {}

  /** The beginning of a model whose first slices are known. */
  static RoundGenesis genesis(
      LearnerSettings settings, String eventTopicId, List<OffsetRange> firstSlices) {
    return genesis(settings, eventTopicId, firstSlices, settings.key());
  }

  /**
   * The same of a model that began under a certain noise key.
   *
   * @param origin the settings' key, or one of its earlier ones
   */
  public static RoundGenesis genesis(
      LearnerSettings settings,
      String eventTopicId,
      List<OffsetRange> firstSlices,
      NoiseKey origin) {
    byte[] fingerprint = settings.plan().fingerprint();
    return new RoundGenesis(
        eventTopicId,
        firstSlices,
        origin.runId(settings.modelIds().name(), fingerprint, settings.label()),
        fingerprint,
        origin.id());
  }

  /** The first records of every control partition: the beginning, and the opening of the first rounds. */
  public static List<Record<byte[], byte[]>> beginning(
      LearnerSettings settings, RoundGenesis genesis) {
    return entries(settings, genesis).stream()
        .map(each -> new Record<>(each.key(), each.value(), 0, each.headers()))
        .toList();
  }

  static List<ControlRecords.Entry> entries(LearnerSettings settings, RoundGenesis genesis) {
    TopicCipher cipher = settings.controlCipher();
    List<ControlRecords.Entry> entries = new ArrayList<>();
    entries.add(ControlRecords.genesis(cipher.seal(RoundCodecs.GENESIS.encode(genesis))));
    entries.addAll(Genesis.openings(settings.plan(), genesis.keyId(), cipher));
    return entries;
  }

  /** The piece of an opening that a record of the control topic holds; empty for every other record. */
  public static Optional<RoundPoint> point(
      byte[] key, byte[] value, Headers headers, TopicCipher cipher) {
    return ControlRecords.isGenesis(key) || ControlRecords.closes(headers) != 0
        ? Optional.empty()
        : Optional.of(RoundCodecs.POINT.decode(cipher.open(value)));
  }
}
