package dev.sotto.app.predict;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Python interpreter of this machine, and the reader that is written in it. */
public final class Python {
  private Python() {}

  /**
   * An interpreter that can import something.
   *
   * @param modules names with commas between, or empty
   * @return null where there is none
   */
  public static String find(String modules) {
    for (String each : List.of("/usr/bin/python3", "python3")) {
      try {
        Process process = new ProcessBuilder(
                each, "-c", modules.isEmpty() ? "pass" : "import " + modules)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
        if (process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0) {
          return each;
        }
      } catch (IOException notThere) {
        // the next one
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return null;
  }

  /** The reader. */
  public static Path script() {
    Path here = Path.of("").toAbsolutePath();
    Path project = Files.exists(here.resolve("python")) ? here : here.getParent();
    return project.resolve("python").resolve("sotto_models.py");
  }
}
