package dev.sotto.testing;

import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * The one seed of everything random in tests: {@code -Dsotto.seed=N}, 0 where none is given. Each
 * generator has a salt of its own, a small number that tells it from the others of its test. Under
 * seed 0 the salt is the generator's seed, so a short run is the same every time. Under any other
 * seed every generator is a fresh one.
 *
 * <p>A test that fails prints the line that runs it again with the same generators.
 */
public final class Seed implements TestWatcher {
  static final String PROPERTY = "sotto.seed";

  /** Made by JUnit, which finds it as a service. */
  public Seed() {}

  /** The seed of this run. */
  public static long value() {
    return Long.getLong(PROPERTY, 0);
  }

  /** The seed of the generator with the given salt. */
  public static long of(long salt) {
    long seed = value();
    return seed == 0 ? salt : new SplittableRandom(seed ^ salt * 0x9e3779b97f4a7c15L).nextLong();
  }

  /** A generator with the given salt. */
  public static Random random(long salt) {
    return new Random(of(salt));
  }

  /** A faster generator with the given salt. */
  public static SplittableRandom splittable(long salt) {
    return new SplittableRandom(of(salt));
  }

  @Override
  public void testFailed(ExtensionContext context, Throwable cause) {
    System.out.println("To run it again: " + commandLine(context));
  }

  static String commandLine(ExtensionContext context) {
    Class<?> type = context.getRequiredTestClass();
    boolean broker = type.getSimpleName().endsWith("IT");
    String name = type.getSimpleName() + "#" + context.getRequiredTestMethod().getName();
    return "mvn verify -Dskip.tags= -Dsotto.seed=" + value()
        + (broker ? " -Dtest=NONE -Dit.test=" : " -Dtest=") + name
        + " -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false";
  }
}
