package dev.sotto.serdes.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.avro.SingleObject;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;

class SlotCodecTest {
  private final SlotCodec codec = new SlotCodec();

  @Test
  void readsBackWhatItWritesBitForBit() {
    Random random = new Random(1);
    for (int i = 0; i < 5000; i++) {
      int dimension = 1 + random.nextInt(70);
      Slot slot = Samples.slot(random, dimension);
      Slot read = Samples.slot(random, dimension); // whatever was there before is gone
      int partition = random.nextInt() >>> 1;
      long offset = random.nextLong() >>> 1;
      RecordStatus verdict = codec.decode(codec.encode(slot, partition, offset), read);
      assertThat(verdict).isEqualTo(slot.verdict());
      assertThat(codec.partition()).isEqualTo(partition);
      assertThat(codec.offset()).isEqualTo(offset);
      assertSame(read, slot);
    }
  }

  @Test
  void writesTheBytesThatAvroWrites() {
    Random random = new Random(2);
    SingleObject avro = SingleObject.of("SequencedSlot");
    for (int i = 0; i < 2000; i++) {
      Slot slot = Samples.slot(random, 30);
      int partition = random.nextInt(100);
      long offset = random.nextLong() >>> random.nextInt(1, 60);
      GenericRecord record = generic(avro.schema(), slot, partition, offset);
      byte[] bytes = codec.encode(slot, partition, offset);
      assertThat(bytes).isEqualTo(avro.encode(record));
      assertThat(avro.decode(bytes)).isEqualTo(record);
    }
  }

  @Test
  void leavesNoTraceOfTheSlotBefore() {
    Random random = new Random(3);
    Slot into = new Slot(20);
    for (int i = 0; i < 2000; i++) {
      codec.decode(codec.encode(Samples.slot(random, 20), 0, i), into);
      into.clear();
      for (int index = 0; index < 20; index++) {
        into.example().add(index, 1);
      }
      assertThat(into.example().size()).isEqualTo(20);
      assertThat(into.example().norm()).isEqualTo(Math.sqrt(20));
    }
  }

  /** Where it came from can be read whatever its features are. */
  @Test
  void locatesSlotsOfAnyDimension() {
    Random random = new Random(4);
    for (int i = 0; i < 200; i++) {
      byte[] bytes = codec.encode(Samples.slot(random, 1 + random.nextInt(30)), i, 7L * i);
      assertThat(codec.locate(bytes)).isTrue();
      assertThat(codec.partition()).isEqualTo(i);
      assertThat(codec.offset()).isEqualTo(7L * i);
    }
    assertThat(codec.locate(null)).isFalse();
    assertThat(codec.locate(new byte[30])).isFalse();
    assertThat(codec.partition()).isEqualTo(-1);
  }

  @Test
  void setsAsideWhatIsNoSlotOfItsDimension() {
    Slot slot = new Slot(4);
    slot.verdict(RecordStatus.USED);
    slot.example().add(3, 1);
    byte[] bytes = codec.encode(slot, 1, 2);
    assertThat(codec.decode(bytes, new Slot(3))).isEqualTo(RecordStatus.UNREADABLE);
    assertThat(codec.partition()).isEqualTo(-1);
    assertThat(codec.decode(null, slot)).isEqualTo(RecordStatus.UNREADABLE);
    assertThat(codec.decode(Arrays.copyOf(bytes, bytes.length + 1), slot))
        .isEqualTo(RecordStatus.UNREADABLE);
  }

  @Test
  void setsAsideARepeatedCoordinate() {
    Slot slot = new Slot(4);
    slot.verdict(RecordStatus.USED);
    slot.example().add(3, 0.5);
    slot.example().add(2, 0.5);
    byte[] bytes = codec.encode(slot, 1, 2);
    assertThat(codec.decode(bytes, new Slot(4))).isEqualTo(RecordStatus.USED);
    int second = indexOf(bytes, new byte[] {3, 0, 0, 0, 2}) + 4;
    bytes[second] = 3;
    assertThat(codec.decode(bytes, new Slot(4))).isEqualTo(RecordStatus.UNREADABLE);
  }

  @Test
  void refusesToWriteAUsedSlotThatBreaksThePromise() {
    Slot slot = new Slot(2);
    slot.verdict(RecordStatus.USED);
    slot.example().add(0, 1.0000001);
    assertThatThrownBy(() -> codec.encode(slot, 0, 0)).hasMessageContaining("l2 norm at most 1");
    slot.example().clear();
    slot.example().label(Double.NaN);
    assertThatThrownBy(() -> codec.encode(slot, 0, 0)).hasMessageContaining("must be finite");
    slot.example().label(0);
    assertThatThrownBy(() -> codec.encode(slot, -1, 0))
        .hasMessage("partition and offset must be at least 0, but were -1, 0");
  }

  private static GenericRecord generic(Schema schema, Slot slot, int partition, long offset) {
    var record = new GenericData.Record(schema);
    boolean used = slot.verdict() == RecordStatus.USED;
    record.put("verdict", slot.verdict().code());
    record.put("partition", partition);
    record.put("offset", offset);
    if (slot.unitLength() >= 0) {
      record.put("unit", ByteBuffer.wrap(Arrays.copyOf(slot.unit(), slot.unitLength())));
    }
    record.put("features", used ? features(schema, slot) : null);
    record.put("label", used ? slot.example().label() : 0.0);
    record.put("weight", used ? slot.example().weight() : 1.0);
    return record;
  }

  private static GenericRecord features(Schema schema, Slot slot) {
    var branches = schema.getField("features").schema().getTypes();
    var example = slot.example();
    var features = new GenericData.Record(branches.get(example.isSparse() ? 2 : 1));
    features.put(
        "values", ByteBuffer.wrap(ExampleCodecTest.packed(example.values(), example.size())));
    if (example.isSparse()) {
      features.put(
          "indices", ByteBuffer.wrap(ExampleCodecTest.packed(example.indices(), example.size())));
    }
    return features;
  }

  private static int indexOf(byte[] bytes, byte[] part) {
    int at = 0;
    while (!Arrays.equals(bytes, at, at + part.length, part, 0, part.length)) {
      at++;
    }
    return at;
  }

  private static void assertSame(Slot read, Slot slot) {
    assertThat(read.verdict()).isEqualTo(slot.verdict());
    assertThat(read.unitLength()).isEqualTo(slot.unitLength());
    int unit = Math.max(0, slot.unitLength());
    assertThat(Arrays.copyOf(read.unit(), unit)).isEqualTo(Arrays.copyOf(slot.unit(), unit));
    var a = read.example();
    var b = slot.example();
    assertThat(a.isSparse()).isEqualTo(b.isSparse());
    assertThat(a.size()).isEqualTo(b.size());
    for (int i = 0; i < a.size(); i++) {
      assertThat(a.index(i)).isEqualTo(b.index(i));
      assertThat(Double.doubleToRawLongBits(a.value(i)))
          .isEqualTo(Double.doubleToRawLongBits(b.value(i)));
    }
    assertThat(a.label()).isEqualTo(b.label());
    assertThat(a.weight()).isEqualTo(b.weight());
  }
}
