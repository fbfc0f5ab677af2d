package dev.sotto.testing;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The processor time of this process and, where Linux tells it, of the children that have ended.
 */
final class ProcessorTime {
  private static final Path STAT = Path.of("/proc/self/stat");

  /** Of the fields behind the name of the program: the children's time, as user and as system. */
  private static final int CHILDREN_USER = 13;

  private static final int CHILDREN_SYSTEM = 14;

  /** Linux counts in hundredths of a second wherever Java runs. */
  private static final double TICKS_PER_SECOND = 100;

  private ProcessorTime() {}

  /** In seconds, since the process began. */
  static double seconds() {
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return system.getProcessCpuTime() / 1e9 + children();
  }

  private static double children() {
    try {
      String stat = Files.readString(STAT);
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      long ticks = Long.parseLong(fields[CHILDREN_USER]) + Long.parseLong(fields[CHILDREN_SYSTEM]);
      return ticks / TICKS_PER_SECOND;
    } catch (IOException notLinux) {
      return 0;
    }
  }
}
