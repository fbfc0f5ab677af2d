package dev.sotto.learner.loss;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectiveNamesTest {
  @Test
  void readsEveryKindOfName() {
    assertThat(Objectives.named("logistic")).contains(Objective.of(new Logistic()));
    assertThat(Objectives.named("huber(0.25)")).contains(Objective.of(new Huber(0.25)));
    assertThat(Objectives.named("smoothed-hinge(1.0E-5)"))
        .contains(Objective.of(new SmoothedHinge(1e-5)));
    assertThat(Objectives.named("softmax(10)")).contains(new Softmax(10));
    assertThat(Objectives.named("network(hidden=3 activation=gelu output=softmax(4) seed=-7)"))
        .contains(new Network(3, Activations.GELU, new OutputLayer.Classes(4), -7));
    assertThat(Objectives.named("network(hidden=3 activation=tanh output=squared seed=1)"))
        .contains(new Network(3, Activations.TANH, new OutputLayer.Score(new Squared()), 1));
    for (Losses each : Losses.values()) {
      assertThat(Objectives.named(each.configName())).contains(Objective.of(each.make()));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "my own loss",
        "logistic(2)",
        "huber(-1)",
        "huber(x)",
        "softmax",
        "softmax(1)",
        "softmax(99999999999)",
        "network",
        "network(hidden=0 activation=tanh output=squared seed=1)",
        "network(hidden=1 activation=relu output=squared seed=1)",
        "network(hidden=1 activation=tanh output=other seed=1)"
      })
  void knowsNothingOfOtherNames(String name) {
    assertThat(Objectives.named(name)).isEmpty();
  }
}
