package dev.sotto.config;

import static dev.sotto.topology.settings.ApplicationKeys.APP_ID;
import static dev.sotto.topology.settings.ApplicationKeys.EVENTS_TOPIC;
import static dev.sotto.topology.settings.ApplicationKeys.LAYOUT;
import static dev.sotto.topology.settings.ApplicationKeys.MODEL_ID_SOURCE;

import dev.sotto.config.settings.EventMapping;
import dev.sotto.config.settings.GateSettings;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Settings;
import dev.sotto.topology.registry.RegistryCopies;
import dev.sotto.topology.settings.ApplicationKeys;
import dev.sotto.topology.settings.Cadence;
import dev.sotto.topology.settings.CandidateModels;
import dev.sotto.topology.settings.LabelKeys;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.LearnerSettings.Start;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.RoundObserver;
import dev.sotto.topology.settings.ServiceSettings;
import dev.sotto.topology.start.StartKeys;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads layout, models, topics and cadence of a learner, and where it runs. */
final class LearnerReader {
  private final Settings settings;

  LearnerReader(Settings settings) {
    this.settings = settings;
  }

  ModelIdRule modelIds() {
    Layout layout = layout();
    ModelIdRule.Source from = settings.get(MODEL_ID_SOURCE);
    if (layout.spansPartitions() && from != ModelIdRule.Source.CONSTANT) {
      throw settings.reject(
          MODEL_ID_SOURCE,
          "must be constant with layout " + layout.configName()
              + ", which learns one model, but was " + from.configName()
              + "; choose layout direct for a model per " + from.configName());
    }
    return new ModelIdRule(
        from,
        switch (from) {
          case KEY -> "";
          case HEADER -> settings.get(ApplicationKeys.MODEL_ID_HEADER);
          case CONSTANT, PARTITION -> settings.get(ApplicationKeys.MODEL_ID);
        },
        from == ModelIdRule.Source.KEY || from == ModelIdRule.Source.HEADER
            ? new ModelIdRule.Limits(
                Set.copyOf(settings.find(ApplicationKeys.MODELS_ALLOWED).orElse(List.of())),
                settings.get(ApplicationKeys.MODELS_MOST),
                Set.copyOf(settings.find(ApplicationKeys.MODELS_RETIRED).orElse(List.of())))
            : ModelIdRule.Limits.NONE);
  }

  String checkTopic() {
    String app = settings.get(APP_ID);
    Set<String> own = Layout.ownTopics(app);
    if (own.contains(settings.get(EVENTS_TOPIC))) {
      throw settings.rejectValue(EVENTS_TOPIC, "be none of the learner's own topics");
    }
    if (settings.isGiven(LabelKeys.TOPIC) && own.contains(settings.get(LabelKeys.TOPIC))) {
      throw settings.rejectValue(LabelKeys.TOPIC, "be none of the learner's own topics");
    }
    return app;
  }

  Path stateFolder() {
    try {
      return Path.of(settings.get(ApplicationKeys.STATE_DIR));
    } catch (InvalidPathException noPath) {
      throw settings.rejectValue(ApplicationKeys.STATE_DIR, "be the path of a folder");
    }
  }

  boolean checkCandidates() {
    if (settings.get(MODEL_ID_SOURCE) != ModelIdRule.Source.CONSTANT
        && settings.isGiven(GateSettings.ALIAS)) {
      throw settings.reject(
          GateSettings.ALIAS,
          "must be absent with candidates for several models, since it names one of them; set"
              + " aliases by hand (./sotto alias)");
    }
    if (layout().sumsParts()) {
      throw settings.reject(
          LAYOUT,
          "must be auto, direct or ordered with candidates, but was " + layout().configName());
    }
    if (settings.isGiven(StartKeys.START_FROM)) {
      throw settings.reject(
          StartKeys.START_FROM,
          "must be absent with candidates, which begin where their loss does");
    }
    return true;
  }

  LearnerSettings learner(
      CandidateModels candidates,
      List<EventMapping> mappings,
      ModelIdRule modelIds,
      NoiseKey key,
      Optional<Start> start) {
    Optional<Long> heap = modelIds.limits().equals(ModelIdRule.Limits.NONE)
        ? Optional.empty()
        : settings.find(ApplicationKeys.MODELS_HEAP);
    int dimension = candidates.dimension();
    Cadence cadence = new Cadence(
        settings
            .find(ApplicationKeys.CHECKPOINT_SLOTS)
            .orElseGet(() -> Cadence.usualCheckpoint(dimension)),
        millis(ApplicationKeys.CHECKPOINT_INTERVAL),
        settings
            .find(ApplicationKeys.STATE_EVERY)
            .orElseGet(() -> Cadence.usualStateEvery(dimension, candidates.plan(), layout())),
        heap.map(megabytes -> megabytes << 20).orElse(Cadence.quarterOfHeap()));
    return new LearnerSettings(
        settings.get(APP_ID),
        layout(),
        new LearnerSettings.Events(
            settings.get(EVENTS_TOPIC),
            modelIds,
            mappings.stream().map(EventMapping::decoder).toList(),
            Optional.empty(),
            mappings.get(0).registry()),
        new LearnerSettings.Run(
            candidates, key, settings.get(ApplicationKeys.RUN_LABEL), RoundObserver.NONE, start),
        cadence);
  }

  ServiceSettings service(
      Map<String, String> clients, Path state, Optional<RegistryCopies> copies) {
    return new ServiceSettings(
        clients,
        state,
        new ServiceSettings.FirstStart(
            settings.get(ApplicationKeys.REPLICATION).shortValue(),
            settings.get(ApplicationKeys.EVENTS_START).equals(ApplicationKeys.LATEST),
            millis(ApplicationKeys.HISTORY),
            copies),
        settings.get(ApplicationKeys.THREADS),
        Duration.ofMillis(settings.get(ApplicationKeys.TRANSACTION_TIMEOUT)),
        new ServiceSettings.Memory(
            settings
                .find(ApplicationKeys.EVENT_MEMORY)
                .orElseGet(() -> ServiceSettings.Memory.usual().events()),
            settings.get(ApplicationKeys.ROCKSDB_MEMORY)));
  }

  private Layout layout() {
    return settings.get(LAYOUT).layout(settings.get(MODEL_ID_SOURCE));
  }

  private Duration millis(ConfigKey<Long> key) {
    return Duration.ofMillis(settings.get(key));
  }
}
