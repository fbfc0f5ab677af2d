package dev.sotto.topology.live;

import dev.sotto.broker.EmbeddedBroker;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.Names;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/**
 * What a model of 2^20 weights costs (docs/large-models.md). Commands:
 *
 * <pre>
 * broker                                                  prints its address; ends with its input
 * rounds ADDRESS APP MECHANISM BATCH STATE RELEASE ROUNDS learns so many rounds: bytes a round,
 * seconds, heap open ADDRESS APP MECHANISM SLOTS EVERY fills an open round: bytes a checkpoint
 * restore ADDRESS APP MECHANISM BATCH STATE RELEASE FROM goes on after round FROM with an empty
 * state folder
 * </pre>
 */
public final class LargeModelCost {
  private LargeModelCost() {}

  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "broker" -> broker();
      case "rounds" ->
        rounds(
            args[1],
            args[2],
            args[3],
            Integer.parseInt(args[4]),
            Long.parseLong(args[5]),
            Long.parseLong(args[6]),
            0,
            Integer.parseInt(args[7]));
      case "open" ->
        open(args[1], args[2], args[3], Integer.parseInt(args[4]), Integer.parseInt(args[5]));
      case "restore" ->
        rounds(
            args[1],
            args[2],
            args[3],
            Integer.parseInt(args[4]),
            Long.parseLong(args[5]),
            Long.parseLong(args[6]),
            Integer.parseInt(args[7]),
            1);
      default -> throw new IllegalArgumentException("unknown command " + args[0]);
    }
    System.exit(0);
  }

  private static void broker() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      System.out.println(broker.bootstrapServers());
      System.in.read();
    }
  }

  private static LargeModel model(
      String address,
      String app,
      String mechanism,
      long batch,
      long checkpointSlots,
      long state,
      long release)
      throws Exception {
    return new LargeModel(
        app,
        Layout.DIRECT,
        Mechanisms.named(mechanism).orElseThrow(),
        new LargeModel.Rounds(batch, release),
        LargeModel.cadence(checkpointSlots, state),
        Files.createTempDirectory("large-model"),
        Map.of("bootstrap.servers", address));
  }

  private static void rounds(
      String address,
      String app,
      String mechanism,
      int batch,
      long state,
      long release,
      int from,
      int rounds)
      throws Exception {
    LargeModel model = model(address, app, mechanism, batch, 200_000, state, release);
    try (Cluster cluster = new Cluster(address, () -> {})) {
      if (from == 0) {
        cluster.createTopic(model.topic());
      }
      cluster.send(model.topic(), LargeModel.events(batch * rounds, from));
      Map<String, Long> before = disk(address, app);
      long begin = System.nanoTime();
      try (LearnerService service = model.start()) {
        while (!service.isRunning() && !service.hasEnded()) {
          Thread.sleep(20);
        }
        double running = seconds(begin);
        while (entries(address, app) < (from + rounds) / release) {
          if (service.hasEnded()) {
            throw new IllegalStateException(service.failure());
          }
          Thread.sleep(100);
        }
        double done = seconds(begin);
        Thread.sleep(500);
        Map<String, Long> sent = model.sent();
        System.out.printf(
            Locale.ROOT,
            "%s batch %d state.every %d rounds of a version %d: running after %.1f s, %d round(s) after"
                + " %.1f s, live heap %d MB, restored from %s%n  bytes a round %s%n",
            mechanism,
            batch,
            state,
            release,
            running,
            rounds,
            done,
            liveHeap() >> 20,
            before,
            perRound(sent, rounds));
      }
      System.out.println("  on disk " + disk(address, app));
    }
  }

  private static void open(String address, String app, String mechanism, int slots, int every)
      throws Exception {
    LargeModel model = model(address, app, mechanism, 1 << 20, every, 1, 1);
    try (Cluster cluster = new Cluster(address, () -> {})) {
      cluster.createTopic(model.topic());
      try (LearnerService service = model.start()) {
        for (int sent = 0; sent < slots; sent += every) {
          Map<String, Long> before = model.sent();
          cluster.send(model.topic(), LargeModel.events(every, sent));
          Thread.sleep(3000);
          if (service.hasEnded()) {
            throw new IllegalStateException(service.failure());
          }
          Map<String, Long> after = model.sent();
          Map<String, Long> cost = new HashMap<>(after);
          before.forEach((topic, bytes) -> cost.merge(topic, -bytes, Long::sum));
          System.out.println("  checkpoint after " + (sent + every) + " slots: " + cost);
        }
      }
    }
  }

  private static double seconds(long begin) {
    return (System.nanoTime() - begin) / 1e9;
  }

  private static Map<String, Long> perRound(Map<String, Long> sent, int rounds) {
    Map<String, Long> each = new java.util.TreeMap<>(sent);
    each.replaceAll((topic, bytes) -> bytes / rounds);
    return each;
  }

  private static long liveHeap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static int entries(String address, String app) {
    return Published.read(Map.of("bootstrap.servers", address), Names.ledger(app))
        .size();
  }

  /** Megabytes that the topics of an application take on disk. */
  private static Map<String, Long> disk(String address, String app) throws Exception {
    Map<String, Long> sizes = new java.util.TreeMap<>();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", address))) {
      for (var folder :
          admin.describeLogDirs(List.of(1)).allDescriptions().get().values()) {
        folder
            .values()
            .forEach(each -> each.replicaInfos().forEach((partition, replica) -> {
              if (partition.topic().startsWith(app + ".")
                  || partition.topic().startsWith(app + "-")) {
                sizes.merge(
                    partition.topic().substring(app.length() + 1), replica.size() >> 20, Long::sum);
              }
            }));
      }
    }
    return sizes;
  }
}
