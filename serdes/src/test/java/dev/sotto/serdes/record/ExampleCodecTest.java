package dev.sotto.serdes.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.example.Vectors;
import dev.sotto.serdes.avro.SingleObject;
import dev.sotto.testing.Seed;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

public class ExampleCodecTest {
  private final Slot slot = new Slot(4);

  @Test
  void writesTheBytesThatAvroWrites() {
    Random random = Seed.random(1);
    SingleObject avro = SingleObject.of("Example");
    for (int i = 0; i < 2000; i++) {
      String id = random.nextBoolean() ? null : Samples.text(random);
      byte[] unit = random.nextBoolean() ? null : Samples.bytes(random, random.nextInt(200));
      int[] indices = random.nextBoolean() ? null : Samples.indices(random, 40);
      double[] values = Samples.gaussians(random, indices == null ? 40 : indices.length);
      double label = random.nextGaussian();
      double weight = random.nextDouble();
      byte[] bytes = indices == null
          ? ExampleCodec.encodeDense(id, unit, values, label, weight)
          : ExampleCodec.encodeSparse(id, unit, indices, values, label, weight);

      var branch =
          avro.schema().getField("features").schema().getTypes().get(indices == null ? 0 : 1);
      var features = new GenericData.Record(branch);
      if (indices != null) {
        features.put("indices", ByteBuffer.wrap(packed(indices, indices.length)));
      }
      features.put("values", ByteBuffer.wrap(packed(values, values.length)));
      GenericRecord record = new GenericData.Record(avro.schema());
      record.put("features", features);
      record.put("label", label);
      record.put("id", id);
      record.put("unit", unit == null ? null : ByteBuffer.wrap(unit));
      record.put("weight", weight);
      assertThat(bytes).isEqualTo(avro.encode(record));
      assertReadsBack(bytes, indices, values, label, weight);
    }
  }

  private static void assertReadsBack(
      byte[] bytes, int[] indices, double[] values, double label, double weight) {
    Slot slot = new Slot(40);
    var codec = new ExampleCodec(40, 10_000, UnitSource.NONE);
    assertThat(codec.decode(null, bytes, slot)).isEqualTo(RecordStatus.USED);
    double norm = Math.sqrt(Arrays.stream(values).map(value -> value * value).sum());
    assertThat(slot.example().size()).isEqualTo(values.length);
    assertThat(slot.example().isSparse()).isEqualTo(indices != null);
    for (int i = 0; i < values.length; i++) {
      assertThat(slot.example().index(i)).isEqualTo(indices == null ? i : indices[i]);
      assertThat(slot.example().value(i)).isCloseTo(values[i] / Math.max(1, norm), within(1e-15));
    }
    assertThat(slot.example().label()).isEqualTo(label);
    assertThat(slot.example().weight()).isEqualTo(weight);
  }

  @Test
  void leavesAVectorOfNormOneAlone() {
    double[] values = {0.6, 0, -0.8, 0};
    assertThat(decode(ExampleCodec.encodeDense(null, null, values, 1, 1)))
        .isEqualTo(RecordStatus.USED);
    assertThat(slot.example().values()).startsWith(values);
  }

  @Test
  void scalesDownWhatIsTooLong() {
    Random random = Seed.random(5);
    for (int i = 0; i < 2000; i++) {
      double[] values = Samples.gaussians(random, 4);
      double factor = Math.pow(10, random.nextInt(600) - 291);
      for (int j = 0; j < 4; j++) {
        values[j] = Math.max(-Double.MAX_VALUE, Math.min(Double.MAX_VALUE, values[j] * factor));
      }
      assertThat(decode(ExampleCodec.encodeDense(null, null, values, 1, 1)))
          .isEqualTo(RecordStatus.USED);
      double[] scaled = Arrays.copyOf(slot.example().values(), 4);
      assertThat(slot.example().norm())
          .isLessThanOrEqualTo(1)
          .isEqualTo(Vectors.norm(scaled, scaled.length));
      if (factor > 1e3) {
        assertThat(slot.example().norm()).isCloseTo(1, within(1e-14));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, USED",
    "1, 0, USED",
    "NaN, 1, NOT_FINITE",
    "Infinity, 1, NOT_FINITE",
    "1, NaN, NOT_FINITE",
    "1, -Infinity, NOT_FINITE",
    "1, -0.5, WRONG_TYPE"
  })
  void judgesLabelAndWeight(double label, double weight, RecordStatus status) {
    byte[] bytes = ExampleCodec.encodeDense(null, null, new double[4], label, weight);
    assertThat(decode(bytes)).isEqualTo(status);
  }

  @Test
  void judgesFeatures() {
    assertThat(decode(ExampleCodec.encodeDense(null, null, new double[3], 1, 1)))
        .isEqualTo(RecordStatus.WRONG_TYPE);
    assertThat(
            decode(ExampleCodec.encodeDense(null, null, new double[] {0, 0, Double.NaN, 0}, 1, 1)))
        .isEqualTo(RecordStatus.NOT_FINITE);
    assertThat(decode(sparse(new int[] {0, 4}, 2))).isEqualTo(RecordStatus.WRONG_TYPE);
    assertThat(decode(sparse(new int[] {1, 1}, 2))).isEqualTo(RecordStatus.WRONG_TYPE);
    assertThat(decode(sparse(new int[] {2, 1}, 2))).isEqualTo(RecordStatus.WRONG_TYPE);
    assertThat(decode(sparse(new int[] {-1, 1}, 2))).isEqualTo(RecordStatus.WRONG_TYPE);
    assertThat(decode(sparse(new int[] {0, 1}, 1))).isEqualTo(RecordStatus.WRONG_TYPE);
    assertThat(decode(sparse(new int[] {0, 1, 2, 3, 3}, 5))).isEqualTo(RecordStatus.WRONG_TYPE);
    assertThat(decode(sparse(new int[] {}, 0))).isEqualTo(RecordStatus.USED);
    assertThat(decode(sparse(new int[] {0, 3}, 2))).isEqualTo(RecordStatus.USED);
  }

  @Test
  void judgesTheWhole() {
    byte[] good = sparse(new int[] {1}, 1);
    var codec = new ExampleCodec(4, good.length - 1, UnitSource.NONE);
    assertThat(codec.decode(null, good, slot)).isEqualTo(RecordStatus.TOO_LARGE);
    assertThat(decode(null)).isEqualTo(RecordStatus.EMPTY);
    assertThat(decode(new byte[0])).isEqualTo(RecordStatus.UNREADABLE);
    assertThat(decode(Arrays.copyOf(good, good.length + 1))).isEqualTo(RecordStatus.UNREADABLE);
    for (int length = 0; length < good.length; length++) {
      assertThat(decode(Arrays.copyOf(good, length))).isEqualTo(RecordStatus.UNREADABLE);
    }
    good[5]++;
    assertThat(decode(good)).isEqualTo(RecordStatus.UNREADABLE);
  }

  @Test
  void takesTheUnitFromWhereItIsTold() {
    byte[] key = {7};
    byte[] bytes = ExampleCodec.encodeDense("né", new byte[] {1, 2}, new double[4], 1, 1);
    assertThat(unit(UnitSource.NONE, key, bytes)).isNull();
    assertThat(unit(UnitSource.ID, key, bytes)).isEqualTo("né".getBytes(StandardCharsets.UTF_8));
    assertThat(unit(UnitSource.UNIT, key, bytes)).containsExactly(1, 2);
    assertThat(unit(UnitSource.KEY, key, bytes)).containsExactly(7);
  }

  @Test
  void setsAsideARecordWithoutTheUnitItMustHave() {
    byte[] none = ExampleCodec.encodeDense(null, null, new double[4], 1, 1);
    byte[] empty = ExampleCodec.encodeDense("", new byte[0], new double[4], 1, 1);
    byte[] long1025 = ExampleCodec.encodeDense(null, new byte[1025], new double[4], 1, 1);
    assertThat(new ExampleCodec(4, 10_000, UnitSource.UNIT).decode(null, long1025, slot))
        .isEqualTo(RecordStatus.TOO_LARGE);
    for (UnitSource source : new UnitSource[] {UnitSource.ID, UnitSource.UNIT, UnitSource.KEY}) {
      var codec = new ExampleCodec(4, 10_000, source);
      assertThat(codec.decode(null, none, slot)).isEqualTo(RecordStatus.MISSING_FIELD);
      assertThat(codec.decode(new byte[0], empty, slot)).isEqualTo(RecordStatus.MISSING_FIELD);
      assertThat(slot.unitLength()).isEqualTo(-1);
    }
  }

  @Test
  void refusesIndicesOutOfOrderFromAProducer() {
    double[] values = {1, 1};
    assertThatThrownBy(() -> ExampleCodec.encodeSparse(null, null, new int[] {3, 3}, values, 0, 1))
        .hasMessage("indices must be at least 0 and strictly increasing, but one was 3");
    assertThatThrownBy(() -> ExampleCodec.encodeSparse(null, null, new int[] {3}, values, 0, 1))
        .hasMessage("indices and values must be as many, but were 1 and 2");
  }

  private RecordStatus decode(byte[] value) {
    slot.example().label(99);
    RecordStatus status = new ExampleCodec(4, 10_000, UnitSource.NONE).decode(null, value, slot);
    assertThat(slot.status()).isEqualTo(status);
    if (status != RecordStatus.USED) {
      assertThat(slot.example().size()).isZero();
      assertThat(slot.example().label()).isZero();
    }
    return status;
  }

  private byte[] unit(UnitSource source, byte[] key, byte[] value) {
    assertThat(new ExampleCodec(4, 10_000, source).decode(key, value, slot))
        .isEqualTo(RecordStatus.USED);
    return slot.unitLength() < 0 ? null : Arrays.copyOf(slot.unit(), slot.unitLength());
  }

  /** Any indices, as a producer without our checks would send them. */
  private static byte[] sparse(int[] indices, int values) {
    SingleObject avro = SingleObject.of("Example");
    var features = new GenericData.Record(
        avro.schema().getField("features").schema().getTypes().get(1));
    features.put("indices", ByteBuffer.wrap(packed(indices, indices.length)));
    features.put("values", ByteBuffer.wrap(new byte[8 * values]));
    GenericRecord record = new GenericData.Record(avro.schema());
    record.put("features", features);
    record.put("label", 1.0);
    record.put("weight", 1.0);
    return avro.encode(record);
  }

  public static byte[] packed(double[] values, int count) {
    ByteBuffer buffer = ByteBuffer.allocate(8 * count).order(ByteOrder.LITTLE_ENDIAN);
    buffer.asDoubleBuffer().put(values, 0, count);
    return buffer.array();
  }

  public static byte[] packed(int[] values, int count) {
    ByteBuffer buffer = ByteBuffer.allocate(4 * count).order(ByteOrder.LITTLE_ENDIAN);
    buffer.asIntBuffer().put(values, 0, count);
    return buffer.array();
  }
}
