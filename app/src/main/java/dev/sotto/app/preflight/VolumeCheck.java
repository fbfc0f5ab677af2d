package dev.sotto.app.preflight;

import dev.sotto.app.cluster.DurationText;
import dev.sotto.evaluation.volume.ExpectedLoad;
import dev.sotto.evaluation.volume.TopicVolume;
import dev.sotto.evaluation.volume.VolumeDescription;
import dev.sotto.evaluation.volume.VolumeForecast;
import dev.sotto.evaluation.volume.VolumeScenario;
import dev.sotto.evaluation.volume.VolumeScenario.Load;
import dev.sotto.learner.description.FigureFormat;
import dev.sotto.learner.training.VersionKeys;
import dev.sotto.topology.admin.AppendRate;
import dev.sotto.topology.settings.ApplicationKeys;
import dev.sotto.topology.settings.LabelKeys;
import dev.sotto.topology.settings.LateLabels;
import dev.sotto.topology.settings.Names;
import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** What will be written and held, at the rate that is expected, or at that of late. */
final class VolumeCheck {
  private static final Duration LATELY = Duration.ofDays(1);
  private static final String SUBJECT = "volume";
  private static final String LAG = "min.compaction.lag.ms";

  /** Bytes a second that a modest cluster of three copies takes from one producer. */
  private static final double SLOW = 20e6;

  /** Snapshots of more than this share of the events' bytes are more than readers can want. */
  private static final int SHARE = 4;

  private VolumeCheck() {}

  static void run(PreflightContext preflight, ExpectedLoad expected) {
    preflight.check(SUBJECT, () -> {
      history(preflight);
      volumes(preflight, expected);
    });
  }

  /** A topic of an earlier start may keep more than is configured now. */
  private static void history(PreflightContext preflight) {
    String topic = Names.snapshots(preflight.app());
    long configured = preflight.service().historyHorizon().toMillis();
    if (preflight.partitions(topic) == 0) {
      return;
    }
    long has = Long.parseLong(preflight.topicSetting(topic, LAG));
    if (has > configured) {
      preflight.warning(
          "topic " + topic,
          LAG + "=" + has + ": every version is kept for "
              + DurationText.words(Duration.ofMillis(has)),
          configured + " (" + ApplicationKeys.HISTORY + "), or " + ApplicationKeys.HISTORY + ": "
              + has,
          preflight.alter(topic, LAG + "=" + configured));
    }
  }

  private static void volumes(PreflightContext preflight, ExpectedLoad expected) {
    ExpectedLoad observed = observed(preflight);
    ExpectedLoad known = expected.or(observed);
    Load load = known.of(preflight.settings());
    VolumeScenario scenario = new VolumeScenario(preflight.settings(), preflight.service(), load);
    MemoryCheck.run(preflight.findings(), scenario);
    transaction(preflight, scenario);
    String rate = String.format(Locale.ROOT, "%.3g", load.rate());
    if (known.rate().isEmpty()) {
      preflight.note(
          SUBJECT,
          "how fast events arrive is unknown: "
              + preflight.deployment().events().topic()
              + " holds less than a minute of them. What follows is for " + ExpectedLoad.RATE
              + " a second, unless --rate says otherwise");
    }
    preflight.note(
        SUBJECT,
        (known.rate().isEmpty() ? ExpectedLoad.RATE : rate) + " events a second"
            + (expected.rate().isPresent() ? " (--rate)" : "") + " of "
            + (known.recordBytes().isPresent() ? "" : "perhaps ") + load.recordBytes() + " bytes"
            + (expected.recordBytes().isPresent() ? " (--record-bytes)" : "")
            + (expected.rate().isEmpty() && observed.rate().isPresent() ? " at present" : "")
            + more(preflight, load) + ". " + VolumeDescription.cadence(scenario));
    List<TopicVolume> all = VolumeForecast.of(scenario);
    all.forEach(each -> preflight.note(
        SUBJECT + " of " + each.topic(),
        FigureFormat.bytes(each.bytesPerDay()) + " a day, at most "
            + FigureFormat.bytes(each.heldAtMost()) + "; " + each.bound()));
    snapshots(preflight, scenario, all);
    preflight.settings().labels().ifPresent(labels -> waiting(preflight, scenario, labels));
    folder(preflight, scenario, all);
  }

  /** What the brokers tell that does not depend on what records hold. */
  private static ExpectedLoad observed(PreflightContext preflight) {
    String topic = preflight.deployment().events().topic();
    int partitions = preflight.eventPartitions();
    if (partitions == 0) {
      return ExpectedLoad.UNKNOWN;
    }
    double rate = rate(preflight.cluster().appendRates(topic, LATELY));
    return new ExpectedLoad(
        rate > 0 ? OptionalDouble.of(rate) : OptionalDouble.empty(),
        OptionalLong.empty(), // the size of records is inside
        OptionalInt.of(partitions),
        OptionalLong.empty(),
        OptionalLong.empty());
  }

  /** What nobody can observe. */
  private static String more(PreflightContext preflight, Load load) {
    String models = preflight.settings().modelIds().sharesPartitions()
        ? ", for " + load.models() + " models (--models)"
        : "";
    return preflight.settings().keepsHistories()
        ? models + (models.isEmpty() ? ", for " : " and ") + load.units() + " units (--units)"
        : models;
  }

  /** Whether what is written at once can be written before the transaction times out. */
  private static void transaction(PreflightContext preflight, VolumeScenario scenario) {
    String key = ApplicationKeys.TRANSACTION_TIMEOUT.name();
    double bytes = VolumeForecast.bytesOfTransaction(scenario);
    long timeout = preflight.service().transactionTimeout().toMillis();
    long takes = (long) Math.ceil(bytes / SLOW * 1000);
    String found = key + "=" + timeout + ", and one transaction writes up to "
        + FigureFormat.bytes(bytes) + ": " + DurationText.words(Duration.ofMillis(takes)) + " at "
        + FigureFormat.bytes(SLOW) + " a second";
    if (2 * takes > timeout) {
      preflight.warning(
          key,
          found,
          "twice as long, " + 2 * takes + " ms: a transaction that takes longer is aborted, and its"
              + " round done again",
          "set " + key + ": " + Math.min(2 * takes, 900_000) + ", or fewer weights");
    } else {
      preflight.ok(key, found);
    }
  }

  private static void snapshots(
      PreflightContext preflight, VolumeScenario scenario, List<TopicVolume> all) {
    double events = scenario.load().rate() * scenario.load().recordBytes() * 86_400;
    TopicVolume published = find(all, Names.snapshots(preflight.app())).orElseThrow();
    if (published.bytesPerDay() > events / SHARE) {
      preflight.warning(
          SUBJECT + " of " + published.topic(),
          FigureFormat.bytes(published.bytesPerDay()) + " a day, the events "
              + FigureFormat.bytes(events),
          "snapshots of at most a quarter of the events",
          scenario.plan().learnsFromBlocks()
              ? "larger blocks"
              : "a larger " + VersionKeys.SLOTS + ", which begins another run, or a shorter "
                  + ApplicationKeys.HISTORY);
    }
  }

  /** Whether models by key and the histories of units will fit the disk. */
  private static void folder(
      PreflightContext preflight, VolumeScenario scenario, List<TopicVolume> all) {
    File folder = preflight.service().stateFolder().toAbsolutePath().normalize().toFile();
    while (folder != null && !folder.exists()) {
      folder = folder.getParentFile();
    }
    TopicVolume state = find(all, ApplicationKeys.STATE_DIR.name()).orElseThrow();
    long free = folder == null ? Long.MAX_VALUE : folder.getUsableSpace();
    if (state.heldAtMost() > free) {
      preflight.warning(
          ApplicationKeys.STATE_DIR.name(),
          FigureFormat.bytes(free) + " free",
          FigureFormat.bytes(state.heldAtMost())
              + (preflight.settings().modelIds().sharesPartitions()
                  ? " for " + scenario.load().models() + " models"
                  : "")
              + (preflight.settings().keepsHistories()
                  ? " for " + scenario.load().units() + " units"
                  : "")
              + (preflight.settings().labels().isPresent() ? " with events that wait" : ""),
          "free some space, or move state.dir");
    }
  }

  /** Whether what waits for labels stays within its bound, should one instance hold all of it. */
  private static void waiting(
      PreflightContext preflight, VolumeScenario scenario, LateLabels labels) {
    double waits = VolumeForecast.bytesWaiting(scenario);
    String subject = "events that wait for labels";
    String found = FigureFormat.bytes(waits) + ": " + LabelKeys.WAIT + " "
        + labels.patience().toMillis() + " at this rate, on disk";
    if (labels.most().isPresent() && waits > labels.most().getAsLong()) {
      preflight.warning(
          subject,
          found + "; " + LabelKeys.BYTES + "=" + labels.most().getAsLong(),
          "no more than " + LabelKeys.BYTES + " in an instance, which stops beyond it",
          "a larger " + LabelKeys.BYTES + ", more instances, or a shorter " + LabelKeys.WAIT
              + ", which begins another run");
    } else {
      preflight.ok(subject, found);
    }
  }

  private static Optional<TopicVolume> find(List<TopicVolume> all, String topic) {
    return all.stream().filter(each -> each.topic().equals(topic)).findFirst();
  }

  private static double rate(List<Optional<AppendRate>> rates) {
    return rates.stream()
        .flatMap(Optional::stream)
        .mapToDouble(AppendRate::perSecond)
        .sum();
  }
}
