package dev.sotto.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

class SeedTest {
  @Test
  void isTheSaltWhereNoSeedIsGiven() {
    with(null, () -> assertEquals(new Random(7).nextLong(), Seed.random(7).nextLong()));
  }

  @Test
  void givesEveryGeneratorFreshNumbersUnderAnotherSeed() {
    with("1", () -> {
      long one = Seed.random(7).nextLong();
      assertEquals(one, Seed.random(7).nextLong());
      assertNotEquals(one, Seed.random(8).nextLong());
      assertNotEquals(one, new Random(7).nextLong());
      with("2", () -> assertNotEquals(one, Seed.random(7).nextLong()));
    });
  }

  private static void with(String seed, Runnable check) {
    String before = System.getProperty(Seed.PROPERTY);
    try {
      set(seed);
      check.run();
    } finally {
      set(before);
    }
  }

  private static void set(String seed) {
    if (seed == null) {
      System.clearProperty(Seed.PROPERTY);
    } else {
      System.setProperty(Seed.PROPERTY, seed);
    }
  }
}
