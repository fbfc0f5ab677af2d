package dev.sotto.topology.settings;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sotto.learner.accounting.Candidates;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.training.Plan;
import dev.sotto.topology.Trial;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CandidateModelsTest {
  private static final Plan PLAN = Trial.plan(3, 4);

  private static CandidateModels.One one(String name, int number) {
    Plan plan = PLAN.toBuilder().candidates(Candidates.of(number)).build();
    return new CandidateModels.One(name, plan);
  }

  private static LearnerSettings settings(CandidateModels models, int decoders, String modelId) {
    LearnerSettings alone =
        Trial.settings(Layout.DIRECT, new ModelIdRule(ModelIdRule.Source.CONSTANT, modelId), PLAN);
    LearnerSettings.Events events = new LearnerSettings.Events(
        alone.eventTopic(),
        alone.modelIds(),
        Collections.nCopies(decoders, alone.decoder()),
        Optional.empty(),
        Optional.empty());
    LearnerSettings.Run run = new LearnerSettings.Run(
        models, NoiseKey.of(new byte[32]), "1", RoundObserver.NONE, Optional.empty());
    return new LearnerSettings("app", Layout.DIRECT, events, run, alone.cadence());
  }

  @Test
  void oneAloneHasTheIdOfItsRecords() {
    CandidateModels alone = CandidateModels.of(PLAN);
    assertThat(alone.number()).isEqualTo(1);
    assertThat(alone.idsOf("m.a")).containsExactly("m.a");
    assertThat(alone.recordsOf("m.a".getBytes(UTF_8))).isEqualTo("m.a".getBytes(UTF_8));
    assertThat(alone.of("m.a").orElseThrow().plan()).isSameAs(PLAN);
    assertThat(alone.dimension()).isEqualTo(PLAN.dimension());
    LearnerSettings settings = settings(alone, 1, "m.a");
    assertThat(settings.learns("m.a")).isTrue();
    assertThat(settings.learns("m")).isFalse();
    assertThat(settings.newDecoders()).hasSize(1);
  }

  @Test
  void severalHaveIdsWithTheirNames() {
    CandidateModels two = new CandidateModels(List.of(one("a", 2), one("b", 2)));
    assertThat(two.idsOf("m")).containsExactly("m.a", "m.b");
    assertThat(two.recordsOf("m.b".getBytes(UTF_8))).isEqualTo("m".getBytes(UTF_8));
    assertThat(two.of("m.b")).contains(two.all().get(1));
    assertThat(two.of("m.c")).isEmpty();
    assertThat(two.of("mb")).isEmpty();
    LearnerSettings settings = settings(two, 2, "m");
    assertThat(settings.learns("m.b")).isTrue();
    assertThat(settings.learns("m")).isFalse();
    assertThat(settings.learns("other.b")).isFalse();
    assertThat(settings.newDecoders()).hasSize(2);
  }

  @Test
  void refusesNoneAndNamesThatDoNotTellThemApart() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CandidateModels(List.of()))
        .withMessageContaining("there must be a model");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CandidateModels(List.of(one("a", 2), one("a", 2))))
        .withMessageContaining("one of its own");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CandidateModels(List.of(one("", 2), one("a", 2))))
        .withMessageContaining("one of its own");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CandidateModels(List.of(one("a", 1))))
        .withMessageContaining("one of its own");
  }

  @Test
  void needsADecoderForEach() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings(CandidateModels.of(PLAN), 2, "m"))
        .withMessageContaining("a decoder for each of 1 models, but there are 2");
  }
}
