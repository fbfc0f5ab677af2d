package dev.sotto.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.topology.status.AwaitedPartition;
import dev.sotto.topology.status.LifecyclePhase;
import dev.sotto.topology.status.RestoreStatus;
import dev.sotto.topology.status.ThreadStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HealthPathsTest {
  private static final RestoreStatus RESTORE =
      new RestoreStatus("units", 3, 4, Duration.ofSeconds(12));

  private long now = 1;
  private InstanceView view = InstanceView.starting();
  private final HealthPaths health = new HealthPaths(
      () -> view, new CostForecast(Views.plan()), Optional.of(Duration.ofSeconds(60)), () -> now);

  private void expect(boolean live, boolean started, boolean ready) {
    assertThat(health.live().up()).as("live: " + health.live()).isEqualTo(live);
    assertThat(health.started().up()).as("started: " + health.started()).isEqualTo(started);
    assertThat(health.ready().up()).as("ready: " + health.ready()).isEqualTo(ready);
    for (HealthPaths.Report report : List.of(health.live(), health.started(), health.ready())) {
      assertThat(report.up() || !report.reasons().isEmpty()).isTrue();
    }
  }

  @Test
  void isLiveButNotReadyWhileItStarts() {
    expect(true, false, false);
    assertThat(health.ready().reasons().get(0)).contains("checking the cluster");
  }

  @Test
  void neverFailsLiveWhileItRestores() {
    view = Views.withRestores(Views.of(LifecyclePhase.RESTORING, false), RESTORE);
    expect(true, false, false); // nothing has got on yet
    view = Views.withRestores(Views.of(LifecyclePhase.RESTORING, true), RESTORE);
    now += TimeUnit.DAYS.toNanos(3);
    expect(true, true, false);
    assertThat(health.ready().reasons().get(0))
        .contains("restoring store units of partition 3 (40 %, for 12 s)", "wait");
  }

  @Test
  void waitsForItsGroup() {
    view = Views.of(LifecyclePhase.RESTORING, false);
    expect(true, false, false);
    assertThat(health.ready().reasons().get(0)).contains("waiting for the group");
    assertThat(health.started().reasons().get(0)).contains("waiting for the group");
  }

  @Test
  void waitsForASchemaRegistryAndIsNotKilledForIt() {
    String sentence = "waiting for the schema registry at http://schemas:8081 for 90 s";
    view = Views.waiting(Views.of(LifecyclePhase.STARTING, false), 90);
    expect(true, true, false);
    assertThat(health.started().reasons().get(0)).startsWith(sentence);
    view = Views.waiting(Views.withThreads(Views.of(LifecyclePhase.RUNNING, true)), 90);
    expect(true, true, false);
    now += TimeUnit.DAYS.toNanos(1); // no thread was ever seen alive meanwhile
    expect(true, true, false);
    assertThat(health.ready().reasons().get(0)).startsWith(sentence);
    view = Views.failed(view, "another noise key; put it back");
    expect(false, true, false);
    view = Views.of(LifecyclePhase.RUNNING, true);
    expect(true, true, true);
  }

  @Test
  void isReadyWhereItRunsAndRoundsAreYoung() {
    view = Views.learning(60, List.of(), Views.model("m", 1));
    expect(true, true, true);
    assertThat(health.ready().reasons()).isEmpty();
    view = Views.of(LifecyclePhase.RUNNING, true); // standby only
    expect(true, true, true);
  }

  @Test
  void isNotReadyWhereNoRoundClosesAndSaysWhoHoldsItUp() {
    view = Views.learning(61, List.of(), Views.model("m", 1));
    expect(true, true, false);
    assertThat(health.ready().reasons().get(0))
        .contains("no round has closed for 61 s", "http.ready.round.age.ms allows (60000)");
    view = Views.learning(
        61, List.of(new AwaitedPartition(5, 2, Duration.ofSeconds(58))), Views.model("m", 1));
    assertThat(health.ready().reasons().get(0)).contains("waiting for partition 5 for 58 s");
  }

  @Test
  void takesAnIdleStreamForReadyWhereNoAgeIsSet() {
    HealthPaths lenient =
        new HealthPaths(() -> view, new CostForecast(Views.plan()), Optional.empty(), () -> now);
    view = Views.learning(100_000, List.of(), Views.model("m", 1));
    assertThat(lenient.ready().up()).isTrue();
  }

  @Test
  void isReadyWithItsBudgetSpentAndSaysSo() {
    view = Views.learning(100_000, List.of(), Views.model("m", 3));
    expect(true, true, true);
    assertThat(health.ready().reasons().get(0)).contains("budget of model m is spent");
    view = Views.learning(100_000, List.of(), Views.model("m", 3), Views.model("n", 1));
    expect(true, true, false); // another one should still learn
  }

  @Test
  void isDeadAfterARefusal() {
    view = Views.failed(Views.of(LifecyclePhase.RUNNING, true), "another noise key; put it back");
    expect(false, true, false);
    assertThat(health.live().reasons()).containsExactly("another noise key; put it back");
    assertThat(health.ready().reasons()).containsExactly("another noise key; put it back");
    view = Views.failed(InstanceView.starting(), "no topic");
    expect(false, false, false);
  }

  @Test
  void isLiveUntilItHasStopped() {
    view = Views.of(LifecyclePhase.STOPPING, true);
    expect(true, true, false);
    view = Views.of(LifecyclePhase.STOPPED, true);
    expect(false, true, false);
  }

  @Test
  void isDeadWhereAThreadStaysAway() {
    InstanceView whole = Views.of(LifecyclePhase.RUNNING, true);
    view = Views.withThreads(whole, new ThreadStatus("a-StreamThread-1", "DEAD", 0, 0));
    expect(true, true, true);
    now += TimeUnit.SECONDS.toNanos(59);
    expect(true, true, true);
    view = whole; // it was replaced
    expect(true, true, true);
    view = Views.withThreads(whole);
    expect(true, true, true);
    now += TimeUnit.SECONDS.toNanos(60);
    expect(false, true, true);
    assertThat(health.live().reasons().get(0)).contains("1 of 1 stream threads", "restart");
  }
}
