package dev.sotto.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Fails a class of tests that takes more than twice its budget of processor time, so that a busy
 * machine does not matter: before it fails one, it asks how fast the machine is ({@link
 * MachinePace}). A class of unit tests has 2 s, one with a broker or processes (its name
 * ends in IT) 20 s. Classes that need more, so far, stand in {@code class-budgets.txt} with what
 * they have; that list is there to shrink. The first class of a process may take 8 s more. What is
 * tagged "long" has no budget, and neither has anything in a run of long tests.
 *
 * <p>Every class leaves a line in {@code target/test-times.txt}: its name, its processor time and
 * its time by the clock, in seconds.
 */
public class ClassBudget implements BeforeAllCallback, AfterAllCallback {
  private static final double UNIT = 2;
  private static final double BROKER = 20;

  /** Set by the build to the tags that this run leaves out. */
  static final String SKIPPED_TAGS = "sotto.skipped.tags";

  static final String LONG = "long";
  private static final Path TIMES = Path.of("target", "test-times.txt");
  private static final ExtensionContext.Namespace OURS =
      ExtensionContext.Namespace.create(ClassBudget.class);

  /** Budgets of classes by name. */
  private static final Map<String, Double> LARGER = larger();

  /** What the first class of a process may take more: the JVM is cold, and a broker is started. */
  private static final double WARM_UP = 8;

  private static final AtomicBoolean WARM = new AtomicBoolean();

  private record Start(double processor, long clock, boolean cold) {}

  private final double unit;
  private final double broker;

  /** Made by JUnit, which finds it as a service. */
  public ClassBudget() {
    this(UNIT, BROKER);
  }

  /** Budgets of a unit test and of a test with a broker, in seconds. */
  ClassBudget(double unit, double broker) {
    this.unit = unit;
    this.broker = broker;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    if (isOutermost(context)) {
      context
          .getStore(OURS)
          .put(
              Start.class,
              new Start(ProcessorTime.seconds(), System.nanoTime(), !WARM.getAndSet(true)));
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (!isOutermost(context)) {
      return;
    }
    Start start = context.getStore(OURS).get(Start.class, Start.class);
    double took = ProcessorTime.seconds() - start.processor();
    Class<?> type = context.getRequiredTestClass();
    note(type, took, (System.nanoTime() - start.clock()) / 1e9);
    budget(type, System.getProperty(SKIPPED_TAGS, "")).ifPresent(seconds -> {
      double most = 2 * seconds + (start.cold() ? WARM_UP : 0);
      if (took > most && took > most * MachinePace.now()) {
        throw new AssertionError(excess(type, took, seconds));
      }
    });
  }

  private static boolean isOutermost(ExtensionContext context) {
    return context.getRequiredTestClass().getEnclosingClass() == null;
  }

  /** The budget of a class in seconds, if it has one in a run without the given tags. */
  Optional<Double> budget(Class<?> type, String skippedTags) {
    boolean isLong = AnnotationSupport.findRepeatableAnnotations(type, Tag.class).stream()
        .anyMatch(tag -> tag.value().equals(LONG));
    if (isLong || !skippedTags.contains(LONG)) {
      return Optional.empty();
    }
    Double own = LARGER.get(type.getName());
    if (own != null) {
      return Optional.of(own);
    }
    return Optional.of(type.getSimpleName().endsWith("IT") ? broker : unit);
  }

  private static String excess(Class<?> type, double took, double budget) {
    return String.format(
        Locale.ROOT,
        "%s must take at most twice its budget of %s s of processor time, but took %.1f s:"
            + " assert the same with less, or tag what takes long with \"long\"",
        type.getSimpleName(),
        budget,
        took);
  }

  private static Map<String, Double> larger() {
    try (InputStream list = ClassBudget.class.getResourceAsStream("class-budgets.txt")) {
      return new String(list.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> line.split(" "))
          .collect(Collectors.toMap(words -> words[0], words -> Double.valueOf(words[1])));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void note(Class<?> type, double processor, double clock) {
    String line = String.format(Locale.ROOT, "%s %.2f %.2f%n", type.getName(), processor, clock);
    try {
      Files.createDirectories(TIMES.getParent());
      Files.writeString(TIMES, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
