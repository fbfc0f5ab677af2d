package dev.sotto.topology.live;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A file system of a few megabytes in memory; tests that need one are skipped where mounting is not
 * allowed.
 */
final class SmallDisk implements AutoCloseable {
  private final Path folder;

  private SmallDisk(Path folder) {
    this.folder = folder;
  }

  static SmallDisk mount(Path folder, String options) throws IOException {
    Files.createDirectories(folder);
    boolean mounted =
        run(List.of("mount", "-t", "tmpfs", "-o", options, "tmpfs", folder.toString()));
    assumeTrue(mounted, "this test mounts a small file system, which is not allowed here");
    return new SmallDisk(folder);
  }

  Path folder() {
    return folder;
  }

  /** Leaves not one byte, but what is written already. */
  void fill() throws IOException {
    byte[] block = new byte[4096];
    try (var out = Files.newOutputStream(filler())) {
      while (true) {
        out.write(block);
      }
    } catch (IOException full) {
      if (Files.getFileStore(folder).getUsableSpace() > 0) {
        throw full;
      }
    }
  }

  void makeRoom() throws IOException {
    Files.delete(filler());
  }

  private Path filler() {
    return folder.resolve("filler");
  }

  private static boolean run(List<String> command) {
    try {
      Process process = new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
      return process.onExit().join().exitValue() == 0;
    } catch (IOException noSuchCommand) {
      return false;
    }
  }

  @Override
  public void close() {
    run(List.of("umount", "-l", folder.toString()));
  }
}
