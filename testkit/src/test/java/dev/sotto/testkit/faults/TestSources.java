package dev.sotto.testkit.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/** The test classes of a checkout, and the tier to which each belongs by its name and its tag. */
final class TestSources {
  private final Map<String, String> tiers = new HashMap<>(); // of a simple name, and of module/name

  /** Those of all modules. */
  static TestSources of(Path checkout) throws IOException {
    TestSources sources = new TestSources();
    try (Stream<Path> modules = Files.list(checkout)) {
      for (Path module : modules.toList()) {
        Path tests = module.resolve("src/test/java");
        if (Files.isDirectory(tests)) {
          sources.take(module.getFileName().toString(), tests);
        }
      }
    }
    return sources;
  }

  private void take(String module, Path tests) throws IOException {
    try (Stream<Path> all = Files.walk(tests)) {
      for (Path each :
          all.filter(file -> file.toString().matches(".*(Test|IT)\\.java")).toList()) {
        String file = each.getFileName().toString();
        String name = file.substring(0, file.length() - ".java".length());
        String tier = tierOf(name, Files.readString(each));
        tiers.put(module + "/" + name, tier);
        tiers.merge(name, tier, (one, other) -> one.equals(other) ? one : "several");
      }
    }
  }

  private static String tierOf(String name, String source) {
    int declared = source.indexOf("class " + name);
    int tag = source.indexOf("@Tag(\"long\")");
    return tag >= 0 && tag < declared ? "long" : name.endsWith("IT") ? "broker" : "unit";
  }

  /** {@code unit}, {@code broker} or {@code long}; null where no module has the class. */
  String tier(String name) {
    return tiers.get(name);
  }

  /** The same of a module. */
  String tier(String module, String name) {
    return tiers.get(module + "/" + name);
  }
}
