package dev.sotto.app.command;

import dev.sotto.learner.key.SecretFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@code learn} on files of a folder, with the same noise in every run of the tests: the key
 * and the labels of the runs are fixed. Noise alone finds a range under one key of some thirty.
 */
abstract class LearnRuns extends CommandRuns {
  @TempDir
  Path folder;

  private int runs;

  /** A file, and the noise key of the model that is learned from it. */
  Path file(String name, String text) throws IOException {
    key(name);
    return Files.writeString(folder.resolve(name), text);
  }

  /** The noise key of the model that is learned from a file. */
  void key(String name) throws IOException {
    Path models = folder.resolve(name.substring(0, name.indexOf('.')) + "-sotto");
    SecretFile.create(Files.createDirectories(models).resolve("noise.key"), "5a".repeat(32) + "\n");
  }

  /** Learns; the exit code. A configuration that is named has a label. */
  int learn(Path file, String... more) {
    Stream<String> label =
        List.of(more).contains("-c") ? Stream.of() : Stream.of("--set", "run.label=run-" + ++runs);
    return run(Stream.of(Stream.of("learn", file.toString()), Stream.of(more), label)
        .flatMap(each -> each)
        .toArray(String[]::new));
  }
}
