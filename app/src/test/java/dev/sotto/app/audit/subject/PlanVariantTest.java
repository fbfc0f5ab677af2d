package dev.sotto.app.audit.subject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sotto.app.audit.Plans;
import dev.sotto.learner.privacy.Generations;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.learner.round.Plan;
import dev.sotto.learner.unit.Contributions;
import dev.sotto.learner.unit.Participation;
import java.lang.reflect.RecordComponent;
import org.junit.jupiter.api.Test;

class PlanVariantTest {
  private static final Plan PLAN = Plans.plan(each -> {
    each.mechanism = Mechanisms.INDEPENDENT.make();
    each.unit = PrivacyUnit.KEY;
    each.participation = new Participation.Scheduled(new Contributions(3, 2));
    each.generations = new Generations(Generations.Kind.CONSTANT, 9);
  });

  @Test
  void keepsEverySettingThatItIsNotToldToChange() throws ReflectiveOperationException {
    Plan variant = PlanVariant.of(PLAN).with("dimension", 17).with("sigma", 5.0).make();
    assertThat(variant.dimension()).isEqualTo(17);
    assertThat(variant.sigma()).isEqualTo(5);
    for (RecordComponent component : Plan.class.getRecordComponents()) {
      if (!component.getName().equals("dimension") && !component.getName().equals("sigma")) {
        assertThat(component.getAccessor().invoke(variant))
            .as(component.getName())
            .isEqualTo(component.getAccessor().invoke(PLAN));
      }
    }
    assertThat(PlanVariant.of(PLAN).make().fingerprint()).isEqualTo(PLAN.fingerprint());
  }

  @Test
  void refusesWhatAPlanDoesNotHaveOrWant() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PlanVariant.of(PLAN).with("sigmas", 5.0).make())
        .withMessageContaining("sigmas");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PlanVariant.of(PLAN).with("sigma", -1.0).make())
        .withMessageContaining("sigma must be positive");
  }
}
