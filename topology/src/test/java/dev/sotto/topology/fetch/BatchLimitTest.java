package dev.sotto.topology.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.common.utils.internals.ByteBufferOutputStream;
import org.apache.kafka.common.utils.internals.ByteUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class BatchLimitTest {
  private static final int MOST = 100_000;
  private static final Header MODEL = new RecordHeader("model", bytes("m"));

  private final BatchLimit limit = new BatchLimit(new RecordLimits(MOST, Set.of("model")));

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void cutsWhatIsTooLongAndNothingElse(CompressionType type) {
    MemoryRecords small = batch(type, 5, List.of(record(1, "a", "b")));
    Header[] many = new Header[40_000];
    Arrays.fill(many, new RecordHeader("h", null));
    many[7] = MODEL;
    MemoryRecords large = batch(
        type,
        100,
        List.of(
            record(10, "key", "value", MODEL),
            new SimpleRecord(11, bytes("key"), new byte[50 * MOST], new Header[] {MODEL}),
            new SimpleRecord(12, new byte[2 * MOST], null),
            new SimpleRecord(13, null, bytes("value"), many),
            new SimpleRecord(14, null, new byte[MOST]),
            record(9, null, "last")));
    MemoryRecords limited = limit.limited(together(small, large, small));
    List<MutableRecordBatch> batches = new ArrayList<>();
    limited.batches().forEach(batches::add);
    assertThat(batches).hasSize(3).allSatisfy(MutableRecordBatch::ensureValid);
    assertThat(batches).extracting(MutableRecordBatch::producerId).containsOnly(77L);
    assertThat(batches).extracting(MutableRecordBatch::isTransactional).containsOnly(true);
    assertThat(batches).extracting(MutableRecordBatch::partitionLeaderEpoch).containsOnly(3);
    assertThat(batches).extracting(MutableRecordBatch::compressionType).containsOnly(type);
    List<Record> records = new ArrayList<>();
    batches.get(1).streamingIterator(BufferSupplier.NO_CACHING).forEachRemaining(records::add);
    assertThat(records)
        .extracting(Record::offset)
        .containsExactly(100L, 101L, 102L, 103L, 104L, 105L);
    assertThat(records).extracting(Record::timestamp).containsExactly(10L, 11L, 12L, 13L, 14L, 9L);
    assertThat(records).extracting(Record::sequence).containsExactly(50, 51, 52, 53, 54, 55);
    assertThat(records).extracting(Record::keySize).containsExactly(3, 3, MOST + 1, -1, -1, -1);
    assertThat(records).extracting(Record::valueSize).containsExactly(5, MOST + 1, -1, 5, MOST, 4);
    assertThat(records.get(0).headers()).containsExactly(MODEL);
    assertThat(records.get(1).headers()).containsExactly(MODEL);
    assertThat(records.get(3).headers()).containsExactly(MODEL);
  }

  @ParameterizedTest
  @EnumSource
  void leavesWhatIsShortAsItIs(CompressionType type) {
    Random random = new Random(1);
    for (int size : new int[] {0, 1, 1_000, MOST - 1_000}) {
      byte[] value = new byte[size];
      random.nextBytes(value);
      MemoryRecords one = batch(type, 0, List.of(new SimpleRecord(1, null, value)));
      MemoryRecords zeros = batch(type, 0, List.of(new SimpleRecord(1, null, new byte[size])));
      MemoryRecords both = together(one, zeros);
      assertThat(limit.limited(both)).isSameAs(both);
    }
  }

  /** A fetch ends where its bytes do, in the middle of a batch. */
  @Test
  void leavesOutABatchThatIsNotWhole() {
    MemoryRecords large =
        batch(CompressionType.ZSTD, 0, List.of(new SimpleRecord(1, null, new byte[2 * MOST])));
    ByteBuffer cut = together(large, large).buffer();
    MemoryRecords limited =
        limit.limited(MemoryRecords.readableRecords(cut.limit(cut.limit() - 1)));
    assertThat(limited.batches()).hasSize(1);
  }

  /** Blocks of Zstandard are counted, and never too low: nothing is taken out for that. */
  @Test
  void boundsWhatZstandardHolds() {
    Random random = new Random(2);
    for (int size = 1; size < 3_000_000; size = 3 * size + 1) {
      byte[] value = new byte[size];
      random.nextBytes(value);
      Arrays.fill(value, random.nextInt(size), size, (byte) 0);
      ByteBufferOutputStream bytes = new ByteBufferOutputStream(100);
      try (DataOutputStream out = new DataOutputStream(
          Compression.zstd().build().wrapForOutput(bytes, RecordBatch.CURRENT_MAGIC_VALUE))) {
        out.write(value);
      } catch (IOException impossible) {
        throw new AssertionError(impossible);
      }
      ByteBuffer in = bytes.buffer().flip().order(java.nio.ByteOrder.LITTLE_ENDIAN);
      assertThat(ZstdBlocks.mostBytes(in)).isBetween((long) size, size + (256L << 10));
    }
  }

  /** 300 MiB of zeros in some kilobytes, as a default broker takes them. */
  @Test
  void takesNoMoreOfARecordThanItsLimit() throws IOException {
    int size = 300 << 20;
    MemoryRecords model = batch(CompressionType.ZSTD, 0, List.of(record(1, null, "x")));
    ByteBufferOutputStream bytes = new ByteBufferOutputStream(100);
    bytes.write(model.buffer().slice(0, 61));
    try (DataOutputStream out = new DataOutputStream(
        Compression.zstd().build().wrapForOutput(bytes, RecordBatch.CURRENT_MAGIC_VALUE))) {
      ByteUtils.writeVarint(size + 9, out);
      out.write(new byte[] {0, 0, 0, 1}); // attributes, time, offset, no key
      ByteUtils.writeVarint(size, out);
      byte[] piece = new byte[1 << 20];
      for (int left = size; left > 0; left -= piece.length) {
        out.write(piece);
      }
      out.write(0);
    }
    ByteBuffer batch = bytes.buffer().flip();
    batch.putInt(8, batch.limit() - 12);
    assertThat(batch.limit()).isLessThan(100_000);
    MemoryRecords limited = limit.limited(MemoryRecords.readableRecords(batch));
    assertThat(limited.batches().iterator().next().iterator().next().valueSize())
        .isEqualTo(MOST + 1);
  }

  private static SimpleRecord record(long time, String key, String value, Header... headers) {
    return new SimpleRecord(time, key == null ? null : bytes(key), bytes(value), headers);
  }

  private static MemoryRecords batch(CompressionType type, long offset, List<SimpleRecord> all) {
    MemoryRecordsBuilder builder = MemoryRecords.builder(
        ByteBuffer.allocate(1024),
        RecordBatch.CURRENT_MAGIC_VALUE,
        Compression.of(type).build(),
        TimestampType.CREATE_TIME,
        offset,
        RecordBatch.NO_TIMESTAMP,
        77,
        (short) 1,
        50,
        true,
        3);
    all.forEach(builder::append);
    return builder.build();
  }

  private static MemoryRecords together(MemoryRecords... all) {
    ByteBuffer bytes = ByteBuffer.allocate(
        Arrays.stream(all).mapToInt(MemoryRecords::sizeInBytes).sum());
    Arrays.stream(all).forEach(each -> bytes.put(each.buffer()));
    return MemoryRecords.readableRecords(bytes.flip());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
