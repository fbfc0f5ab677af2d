package dev.sotto.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A temporary folder that goes with what is in it. */
record TemporaryFolder(Path path) implements AutoCloseable {
  TemporaryFolder() throws IOException {
    this(Files.createTempDirectory("sotto-benchmark-"));
  }

  @Override
  public void close() throws IOException {
    List<Path> all;
    try (Stream<Path> walk = Files.walk(path)) {
      all = walk.sorted(Comparator.reverseOrder()).collect(Collectors.toList());
    }
    for (Path each : all) {
      Files.deleteIfExists(each);
    }
  }
}
