package dev.sotto.app.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.topology.label.LabelIds;
import dev.sotto.topology.settings.ModelIdRule;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.CRC32;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Partitioners of producers, held against the partitions in which ids are looked for. */
class PartitionerCheckTest {
  private static final int PARTITIONS = 6;
  private static final LabelIds KEYS =
      (key, value) -> key == null ? null : new String(key, StandardCharsets.ISO_8859_1);

  /** How a producer finds the partition of a key. */
  enum Partitioner {
    JAVA,
    LIBRDKAFKA;

    int of(byte[] key) {
      if (this == JAVA) {
        return Utils.toPositive(Utils.murmur2(key)) % PARTITIONS;
      }
      CRC32 crc = new CRC32();
      crc.update(key);
      return (int) (crc.getValue() % PARTITIONS);
    }
  }

  private static byte[] key(int i) {
    return ("device-" + i).getBytes(StandardCharsets.UTF_8);
  }

  private static ConsumerRecord<byte[], byte[]> record(int partition, byte[] key, byte[] header) {
    RecordHeaders headers = new RecordHeaders();
    headers.add("model", header);
    return new ConsumerRecord<>(
        "t",
        partition,
        0,
        0,
        TimestampType.CREATE_TIME,
        0,
        0,
        key,
        null,
        headers,
        Optional.empty());
  }

  @ParameterizedTest
  @EnumSource
  void findsModelsWhereTheirIdsLie(Partitioner partitioner) {
    ModelIdRule byKey = new ModelIdRule(ModelIdRule.Source.KEY, "");
    ModelIdRule byHeader = new ModelIdRule(ModelIdRule.Source.HEADER, "model");
    for (ModelIdRule rule : new ModelIdRule[] {byKey, byHeader}) {
      var places = new PartitionerCheck.IdPlaces();
      for (int i = 0; i < 600; i++) {
        int partition = partitioner.of(key(i));
        places.ofModel(rule, record(partition, key(i), key(i)), PARTITIONS);
      }
      places.ofModel(rule, record(0, null, null), PARTITIONS); // without an id: of no model
      places.ofModel(rule, record(0, new byte[0], new byte[0]), PARTITIONS);
      requireSound(places, partitioner == Partitioner.JAVA);
    }
  }

  @ParameterizedTest
  @EnumSource
  void findsLabelsWhereTheirEventsLie(Partitioner partitioner) {
    var places = new PartitionerCheck.IdPlaces();
    for (int i = 0; i < 600; i++) {
      places.label(KEYS, record(partitioner.of(key(i)), key(i), null));
    }
    for (int i = 300; i < 900; i++) { // half of them have no label yet
      places.event(KEYS, record(Partitioner.JAVA.of(key(i)), key(i), null));
    }
    places.event(KEYS, record(0, null, null));
    assertThat(places.there() + places.elsewhere()).isEqualTo(300);
    requireSound(places, partitioner == Partitioner.JAVA);
  }

  private static void requireSound(PartitionerCheck.IdPlaces places, boolean sound) {
    if (sound) {
      assertThat(places.elsewhere()).isZero();
      assertThat(places.there()).isPositive();
    } else { // one of six by chance
      assertThat(places.elsewhere()).isGreaterThan(3 * places.there());
    }
  }
}
