package dev.sotto.serdes.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.serdes.record.ExampleCodecTest;
import dev.sotto.serdes.record.Samples;
import dev.sotto.testing.Seed;
import org.junit.jupiter.api.Test;

class PackedDoublesTest {

  @Test
  void packsLowByteFirst() {
    assertThat(PackedDoubles.pack(new double[] {1, -2}))
        .containsExactly(0, 0, 0, 0, 0, 0, 0xF0, 0x3F, 0, 0, 0, 0, 0, 0, 0, 0xC0);
  }

  @Test
  void unpacksWhatItPacked() {
    double[] values = Samples.gaussians(Seed.random(1), 1000);
    byte[] bytes = PackedDoubles.pack(values);
    assertThat(PackedDoubles.unpack(bytes)).isEqualTo(values);
    assertThat(bytes).isEqualTo(ExampleCodecTest.packed(values, 1000));
    assertThat(PackedDoubles.pack(values, 10, 1))
        .isEqualTo(PackedDoubles.pack(new double[] {values[10]}));
    double[] some = new double[5];
    PackedDoubles.unpack(bytes, 8, some, 2, 2);
    assertThat(some).containsExactly(0, 0, values[1], values[2], 0);
  }

  @Test
  void refusesAHalfDouble() {
    assertThatThrownBy(() -> PackedDoubles.unpack(new byte[12]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("packed doubles must have a multiple of 8 bytes, but had 12");
  }
}
