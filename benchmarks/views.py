"""Control points that make something happen, and views that a page view is compared with."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from apps.accounts.actors import OPERATOR
from apps.competition import selectors, services
from benchmarks import crowded
from project.process.web_process import process


@csrf_exempt
@require_POST
def perform(request: HttpRequest) -> HttpResponse:
    """Put somebody on stage with the service that an administrator's click would call."""
    services.performer_set(actor=OPERATOR, session_participant_id=int(request.GET["place"]))
    return HttpResponse("ok")


@csrf_exempt
async def raw(request: HttpRequest) -> HttpResponse:
    """Tell the peers' sockets: a frame as long as the site's own for the same change."""
    from benchmarks import peers  # it needs the reactor, addresses are read before there is one

    await peers.broadcast(request.GET["marker"], int(request.GET["bytes"]))
    return HttpResponse("ok")


@csrf_exempt
async def touch(request: HttpRequest) -> HttpResponse:
    """Change one row, or the leaf, of the crowded page."""
    kind = request.GET["kind"]
    crowded.touch(kind, int(request.GET["number"]))
    process.bus.notify_listeners(f"bench.{kind}")
    return HttpResponse("ok")


def plain(_request: HttpRequest) -> HttpResponse:
    """A Django view of 325 bytes."""
    return HttpResponse("x" * 325)


def template(request: HttpRequest) -> HttpResponse:
    """The session page's data, read with the same selectors, in a Django template."""
    session_id = int(request.GET["session"])
    return render(
        request,
        "benchmarks/session.html",
        {
            "session": selectors.session_get(session_id=session_id),
            "appearances": selectors.session_appearances(session_id=session_id),
            "viewer": request.user,
        },
    )
