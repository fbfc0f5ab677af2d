package dev.sotto.app.secured;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.command.ExitCode;
import dev.sotto.app.crash.EventWriter;
import dev.sotto.app.crash.LearnerProcess;
import dev.sotto.app.crash.SlotChecks;
import dev.sotto.app.crash.Watcher;
import dev.sotto.topology.live.Published;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two instances with standbys, allowed what is printed and nothing else: brokers and instances are
 * restarted, frozen, and get other credentials, while events keep coming. What this prints stands
 * in docs/operations.md.
 */
@Tag("long")
@Timeout(900)
class SecuredRestartsIT {
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path folder;

  private static SecuredCluster cluster;

  private final Map<String, LearnerProcess> instances = new HashMap<>();
  private SecuredLearner learner;
  private int models;

  @BeforeAll
  static void start() throws Exception {
    cluster = SecuredCluster.start(folder);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** Something that happens while two instances learn. */
  private interface Disturbance {
    void happen() throws Exception;
  }

  @Test
  void losesNoRoundWhileBrokersAndInstancesRestart() throws Exception {
    run("rolling", "direct", 2, () -> {
      assertThat(tasks("a")).as("of both models, one of them in standby").hasSize(2);
      assertThat(tasks("b")).hasSize(2);
      cluster.roll();
      progress();
      for (String each : List.of("a", "b")) {
        instances.get(each).stop();
        assertThat(instances.get(each).exitCode()).isEqualTo(143);
        begin(each);
        progress();
      }
    });
  }

  @Test
  void fencesAFrozenInstanceOfModelsPerPartition() throws Exception {
    run("frozen", "direct", 2, this::freezeBoth);
  }

  @Test
  void fencesAFrozenInstanceOfAnOrder() throws Exception {
    run("frozen-order", "ordered", 3, this::freezeBoth);
  }

  /** Each longer than its session lives, so that the other takes over and it comes back fenced. */
  private void freezeBoth() throws Exception {
    for (String each : List.of("a", "b")) {
      LearnerProcess frozen = instances.get(each);
      Map<Integer, Long> before = learner.rounds();
      frozen.stand();
      learner.awaitRounds(before, models, 8, instances.get(each.equals("a") ? "b" : "a"));
      frozen.goOn();
      progress();
    }
    // Of an order one instance alone has the task, and so a producer that can be fenced.
    int fenced = 0;
    for (String each : List.of("a", "b")) {
      fenced += learner.logged(each).contains("TaskMigratedException") ? 1 : 0;
    }
    assertThat(fenced).as("instances that came back fenced").isGreaterThanOrEqualTo(models);
  }

  @Test
  void losesNoRoundWhileCredentialsChange() throws Exception {
    run("rotated", "direct", 2, () -> {
      cluster.password("rotated-next", "next-secret");
      learner.permit("rotated-next"); // as the first user, who asks for both here
      learner.files().keep("rotated-next", "next-secret");
      for (String each : List.of("a", "b")) {
        instances.get(each).stop();
        begin(each);
        progress();
      }
      cluster.forget("rotated");
      progress();

      // In the wrong order: who comes now is refused, and so is who is in as soon as a connection
      // has to be made again.
      cluster.password("rotated-next", "another-secret");
      instances.get("a").stop();
      LearnerProcess refused = learner.start("a");
      endsRefused(refused, "a");
      learner.files().keep("rotated-next", "another-secret");
      begin("a");
      if (instances.get("b").await(30, TimeUnit.SECONDS)) {
        endsRefused(instances.get("b"), "b");
      } else {
        instances.get("b").stop();
      }
      begin("b");
      progress();
    });
  }

  private void endsRefused(LearnerProcess refused, String instance) throws Exception {
    assertThat(refused.await(120, TimeUnit.SECONDS)).isTrue();
    assertThat(refused.exitCode()).isEqualTo(ExitCode.FORBIDDEN.code());
    assertThat(learner.said(instance))
        .contains("check the user, the password")
        .doesNotContain("next-secret", "another-secret");
    System.out.println("rotated: " + instance + " with the old password: "
        + learner.said(instance).strip().lines().reduce("", (before, line) -> line));
  }

  private void run(String app, String layout, int partitions, Disturbance disturbance)
      throws Exception {
    learner = new SecuredLearner(cluster, folder, app, layout, partitions, "");
    models = layout.equals("direct") ? partitions : 1;
    learner.permit(app);
    EventWriter writer = new EventWriter(cluster.root(), learner.topic(), partitions, 60, 11);
    List<Thread> threads = new ArrayList<>(List.of(new Thread(writer)));
    threads.get(0).start();
    long begun = System.nanoTime();
    try {
      begin("a");
      begin("b");
      learner.awaitRounds(Map.of(), models, 2, all());
      Watcher watcher = new Watcher(learner.reader(), app, models);
      threads.add(new Thread(watcher));
      threads.get(1).start();
      progress();
      disturbance.happen();
      writer.stop();
      threads.get(0).join();
      learner.awaitEnd(writer.fullRounds(SecuredLearner.BATCH, models), all());
      for (LearnerProcess each : all()) {
        each.stop();
      }
      watcher.stop();
      threads.get(1).join();
      assertThat(watcher.conflicts()).isEmpty();
      checkSlots(writer);
      learner.verify();
      System.out.printf(
          "%s: %d s, %d events, %d rounds, no slot twice or lost, chain whole, verify EQUAL; %d"
              + " writes of aborted transactions seen, none of which differs%n",
          app,
          TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun),
          writer.committed(),
          learner.ledger().size(),
          watcher.repeats());
    } finally {
      writer.stop();
      for (LearnerProcess each : all()) {
        each.kill();
      }
    }
  }

  /** As many rounds as there are slots for; in layout direct, each slot in its place. */
  private void checkSlots(EventWriter writer) {
    Map<Integer, List<Long>> slots = new HashMap<>();
    Published.read(cluster.root(), learner.topic())
        .forEach(each ->
            slots.computeIfAbsent(each.partition(), id -> new ArrayList<>()).add(each.offset()));
    assertThat(slots.values().stream().mapToInt(List::size).sum())
        .isEqualTo((int) writer.committed());
    if (models == 1) {
      assertThat(learner.ledger()).hasSize((int) (writer.committed() / SecuredLearner.BATCH));
    } else {
      SlotChecks.check(learner.ledger(), slots, SecuredLearner.BATCH);
    }
  }

  private LearnerProcess[] all() {
    return instances.values().toArray(LearnerProcess[]::new);
  }

  private void begin(String instance) throws Exception {
    instances.put(instance, learner.start(instance));
  }

  /** Waits until every model has some more rounds. */
  private void progress() {
    learner.awaitRounds(learner.rounds(), models, 3, all());
  }

  /** The tasks of which an instance has state, its own or another's. */
  private List<String> tasks(String instance) throws Exception {
    try (var found = Files.list(learner.state(instance).resolve(learner.app()))) {
      return found
          .map(each -> each.getFileName().toString())
          .filter(each -> each.matches("[0-9]+_[0-9]+"))
          .toList();
    }
  }
}
