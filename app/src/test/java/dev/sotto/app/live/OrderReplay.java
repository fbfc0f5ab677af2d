package dev.sotto.app.live;

import dev.sotto.replay.Replay;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.serdes.record.Announcement;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.topology.live.Published;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What a learner publishes, from its logs alone.
 *
 * @param order of layout ordered; empty in the others
 */
public record OrderReplay(
    List<ConsumerRecord<byte[], byte[]>> events, List<ConsumerRecord<byte[], byte[]>> order) {
  /** The events as they are announced; each must be announced. */
  public List<ConsumerRecord<byte[], byte[]>> inOrder() {
    Map<Integer, NavigableMap<Long, ConsumerRecord<byte[], byte[]>>> byPlace = new TreeMap<>();
    events.forEach(each -> byPlace
        .computeIfAbsent(each.partition(), none -> new TreeMap<>())
        .put(each.offset(), each));
    Map<Integer, Long> positions = new HashMap<>();
    List<ConsumerRecord<byte[], byte[]>> ordered = new ArrayList<>();
    for (var each : order) {
      Announcement announced = Codecs.ANNOUNCEMENT.decode(each.value());
      long from = positions.getOrDefault(announced.partition(), announced.begin());
      long to = Math.max(from, announced.end());
      ordered.addAll(byPlace
          .getOrDefault(announced.partition(), new TreeMap<>())
          .subMap(from, to)
          .values());
      positions.put(announced.partition(), to);
    }
    return ordered;
  }

  /** Ledger and snapshot records as {@link Published#bytes()} gives them. */
  public List<String> bytes(LearnerSettings settings) {
    List<String> ledger = new ArrayList<>();
    List<String> snapshots = new ArrayList<>();
    Replay replay = new Replay(settings, recording(settings.eventTopic(), events, announced()));
    if (settings.layout() == Layout.ORDERED) {
      replay.order(recording(settings.trainingTopic(), order, Map.of()));
    }
    replay.run(new OutputListener() {
      @Override
      public void ledger(int partition, String modelId, byte[] entry) {
        ledger.add(Published.line(modelId, entry));
      }

      @Override
      public void snapshot(int partition, String key, byte[] value) {
        snapshots.add(Published.line(key, value));
      }
    });
    ledger.addAll(snapshots);
    return ledger;
  }

  /** The end of each partition, behind what is no record: markers, and what was aborted. */
  private Map<Integer, Long> announced() {
    Map<Integer, Long> ends = new TreeMap<>();
    for (var each : order) {
      Announcement announced = Codecs.ANNOUNCEMENT.decode(each.value());
      ends.merge(announced.partition(), announced.end(), Math::max);
    }
    return ends;
  }

  private static InMemoryRecording recording(
      String topic, List<ConsumerRecord<byte[], byte[]>> records, Map<Integer, Long> ends) {
    InMemoryRecording.Builder made = InMemoryRecording.of(topic);
    Map<Integer, Long> left = new TreeMap<>(ends);
    for (var each : records) {
      made.add(
          each.partition(),
          each.offset(),
          each.timestamp(),
          each.key(),
          each.value(),
          each.headers());
      left.computeIfPresent(
          each.partition(), (partition, end) -> ends.get(partition) - each.offset() - 1);
    }
    left.forEach((partition, offsets) -> made.skip(partition, Math.max(0, offsets)));
    return made.build();
  }
}
