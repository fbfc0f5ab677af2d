package dev.sotto.serdes.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.testing.Seed;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SpecialBytesTest {
  private static int oneByOne(byte[] text, int from, int to, byte one, byte other) {
    for (int at = from; at < to; at++) {
      if (text[at] < ' ' || text[at] == one || text[at] == other) {
        return at;
      }
    }
    return to;
  }

  @Test
  void findsTheFirstAtEveryPlace() {
    Random random = Seed.random(1);
    for (int i = 0; i < 20_000; i++) {
      byte[] text = new byte[random.nextInt(40)];
      for (int at = 0; at < text.length; at++) {
        boolean any = random.nextInt(20) == 0;
        text[at] = (byte) (any ? random.nextInt(256) : 'a' + random.nextInt(26));
      }
      int to = random.nextInt(text.length + 1);
      int from = random.nextInt(to + 1);
      byte one = (byte) (' ' + random.nextInt(95));
      byte other = (byte) random.nextInt(128);
      assertThat(SpecialBytes.first(text, from, to, one, other))
          .isEqualTo(oneByOne(text, from, to, one, other));
    }
  }

  /** Each byte beside each other byte, where a carry could tell of one that is not special. */
  @Test
  void tellsEveryByteBesideEveryOther() {
    for (int before = 0; before < 256; before++) {
      for (int each = 0; each < 256; each++) {
        byte[] text = {(byte) before, (byte) each, 'a', (byte) before, (byte) each, 'a', 'b', 'c'};
        assertThat(SpecialBytes.first(text, 0, text.length, (byte) '"', (byte) '\\'))
            .isEqualTo(oneByOne(text, 0, text.length, (byte) '"', (byte) '\\'));
      }
    }
  }

  @Test
  void copiesEveryByteAndNoneBefore() {
    Random random = Seed.random(2);
    for (int i = 0; i < 20_000; i++) {
      byte[] text = new byte[random.nextInt(60)];
      random.nextBytes(text);
      byte[] into = new byte[random.nextInt(60)];
      random.nextBytes(into);
      int from = random.nextInt(text.length + 1);
      int to = random.nextInt(into.length + 1);
      int length = random.nextInt(Math.min(text.length - from, into.length - to) + 1);
      byte[] expected = into.clone();
      System.arraycopy(text, from, expected, to, length);
      SpecialBytes.copy(text, from, into, to, length);
      assertThat(Arrays.copyOf(into, to + length)).isEqualTo(Arrays.copyOf(expected, to + length));
      int behind = Math.min(into.length, to + length + 7);
      assertThat(Arrays.copyOfRange(into, behind, into.length))
          .isEqualTo(Arrays.copyOfRange(expected, behind, into.length));
    }
  }
}
