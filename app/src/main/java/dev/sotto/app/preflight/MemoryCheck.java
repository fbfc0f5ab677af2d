package dev.sotto.app.preflight;

import com.sun.management.OperatingSystemMXBean;
import dev.sotto.evaluation.volume.Evictions;
import dev.sotto.evaluation.volume.MemoryForecast;
import dev.sotto.evaluation.volume.MemoryForecast.Part;
import dev.sotto.evaluation.volume.VolumeScenario;
import dev.sotto.learner.description.FigureFormat;
import dev.sotto.topology.settings.ApplicationKeys;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * Whether an instance that runs every task fits the heap and the machine, or the container: this
 * process has the heap that the learner will have.
 */
final class MemoryCheck {
  private static final String SUBJECT = "memory";

  /** What of a heap may be in use for good, so that collecting the rest pays. */
  private static final double FULL = 0.8;

  /** 10 bits of a filter, and its share of an index. */
  private static final long BYTES_OF_A_UNIT = 3;

  private MemoryCheck() {}

  static void run(PreflightFindings findings, VolumeScenario scenario) {
    long machine =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    check(
        findings,
        MemoryForecast.of(scenario),
        Runtime.getRuntime().maxMemory(),
        machine < 1 ? Long.MAX_VALUE : machine);
    models(findings, Evictions.of(scenario));
    units(findings, scenario.load().units(), scenario.service().memory().rocksDb());
  }

  /** Whether the filters and indexes of histories have room, so that a new unit costs no read. */
  static void units(PreflightFindings findings, long units, long rocksDb) {
    double needed = (double) units * BYTES_OF_A_UNIT;
    double all = 2 * needed; // the other half is for what is not written yet
    if (all > rocksDb) {
      findings.warning(
          SUBJECT,
          String.format(
              Locale.ROOT,
              "%s for RocksDB, where filters and indexes of %,d units (--units) take about %s",
              FigureFormat.bytes(rocksDb),
              units,
              FigureFormat.bytes(needed)),
          "room for them, or they are read from disk again and again",
          ApplicationKeys.ROCKSDB_MEMORY.name() + ": " + (long) all + ", twice as much");
    }
  }

  /** Whether models have room beside each other. */
  static void models(PreflightFindings findings, Evictions evictions) {
    if (evictions.any()) {
      findings.warning(
          "models",
          evictions.text(),
          "room for all models that events come for within some seconds",
          evictions.advice());
    }
  }

  /**
   * Compares.
   *
   * @param heap the largest that the JVM may take, in bytes
   * @param machine memory of the machine, or of the container, in bytes
   */
  static void check(PreflightFindings findings, MemoryForecast needed, long heap, long machine) {
    boolean sound = true;
    if (needed.heapBytes() > FULL * heap) {
      sound = false;
      Part largest = needed.largest();
      findings.warning(
          SUBJECT,
          "a heap of " + FigureFormat.bytes(heap) + "; the learner may need " + needed.text(),
          "at least " + FigureFormat.bytes(needed.heapBytes() / FULL)
              + ", a quarter more than is in use",
          "make " + largest.use() + " smaller: " + largest.setting()
              + "; or a larger heap: SOTTO_JVM_OPTS=-Xmx"
              + ((long) Math.ceil(needed.heapBytes() / FULL) >> 20) + "m");
    }
    if (heap + needed.besideBytes() > machine) {
      sound = false;
      findings.warning(
          SUBJECT,
          "a heap of up to " + FigureFormat.bytes(heap) + " and "
              + FigureFormat.bytes(needed.besideBytes()) + " beside it, on "
              + FigureFormat.bytes(machine),
          "no more than the machine or the container has: it would be killed",
          "a smaller heap (SOTTO_JVM_OPTS=-Xmx...), or more memory");
    }
    if (sound) {
      findings.ok(
          SUBJECT,
          needed.text() + "; the heap may grow to " + FigureFormat.bytes(heap) + " of "
              + FigureFormat.bytes(machine));
    }
  }
}
