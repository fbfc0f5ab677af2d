package dev.sotto.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** What a figure depends on besides the code. */
final class MachineInfo {
  private MachineInfo() {}

  /** Cores, processor, Java, and how busy the machine was in the last minute. */
  static Map<String, Object> facts() {
    var system = ManagementFactory.getOperatingSystemMXBean();
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("cores", system.getAvailableProcessors());
    facts.put("cpu", processor());
    facts.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
    facts.put("loadAverage", system.getSystemLoadAverage());
    return facts;
  }

  private static String processor() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException elsewhere) {
      return System.getProperty("os.arch");
    }
  }
}
