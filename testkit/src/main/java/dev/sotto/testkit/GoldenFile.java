package dev.sotto.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A text file beside a test that says what is learned: settings, each round's cost and weights, and
 * what was set aside. Whoever changes a configuration, a loss, a decoder or Sotto's version sees in
 * review what it changes.
 *
 * <p>{@code -Dsotto.golden.update=true} writes files anew instead of comparing; not where the
 * variable {@code CI} is {@code true}: a build that writes what it should check would check
 * nothing.
 *
 * <p>Under {@link LearnerTestKit#TEST_KEY} a golden file holds weights whose noise anybody can take
 * off: one that was learned from real events is as sensitive as they are.
 */
public final class GoldenFile {
  /** The system property that has golden files written anew. */
  public static final String UPDATE = "sotto.golden.update";

  private final Path file;
  private final boolean update;
  private final boolean onCi;

  GoldenFile(Path file, boolean update, Map<String, String> environment) {
    this.file = file;
    this.update = update;
    this.onCi = Boolean.parseBoolean(environment.get("CI"));
  }

  /** A file, relative to the folder in which tests run; it need not be there yet. */
  public static GoldenFile of(Path file) {
    return new GoldenFile(file, Boolean.getBoolean(UPDATE), System.getenv());
  }

  /** The same of a path as text. */
  public static GoldenFile of(String file) {
    return of(Path.of(file));
  }

  /**
   * Fails unless the file says what was learned, with the first round and weight that differ, and
   * what has changed in configuration and input.
   */
  public void assertMatches(LearningResult learned) {
    GoldenContent now = GoldenContent.of(learned);
    if (update) {
      write(now);
      return;
    }
    if (!Files.exists(file)) {
      throw AssertionFailures.of("the golden file " + file.toAbsolutePath()
          + " is not there. To make it, run the test with -D" + UPDATE
          + "=true, read it, and commit the file with the test");
    }
    GoldenContent before;
    try {
      before = GoldenContent.parse(Files.readString(file));
    } catch (IllegalArgumentException broken) {
      throw AssertionFailures.of("the golden file " + file + " cannot be read: "
          + broken.getMessage() + "; to write it anew, run the test with -D" + UPDATE + "=true");
    } catch (IOException unreadable) {
      throw new UncheckedIOException("the golden file " + file + " cannot be read", unreadable);
    }
    if (!now.equals(before)) {
      throw AssertionFailures.of(
          "what was learned is not what the golden file " + file + " says\n"
              + GoldenDiff.of(before, now).indent(2) + "If that is meant, run the test with -D"
              + UPDATE + "=true, and commit the file with the reason",
          before.toString(),
          now.toString());
    }
  }

  private void write(GoldenContent now) {
    if (onCi) {
      throw AssertionFailures.of("golden files are not written where CI is true, but -D" + UPDATE
          + "=true is set: run the test on your own machine, and commit " + file);
    }
    try {
      if (file.toAbsolutePath().getParent() != null) {
        Files.createDirectories(file.toAbsolutePath().getParent());
      }
      Files.writeString(file, now.toString());
    } catch (IOException unwritable) {
      throw new UncheckedIOException("the golden file " + file + " cannot be written", unwritable);
    }
  }
}
